import * as vscode from 'vscode';
import { promptLanguage } from '../platform/ids';
import type { Draft } from '../shared/prompt';
import type { PanelSession } from '../views/transcript/panelSession';
import type { PromptServices, Prompts } from './prompts';

/** All that belongs to prompts in editors is a bundle of its own, loaded with the first of them and not before. */
export class PromptLoader implements vscode.Disposable {
  readonly #services: () => PromptServices;
  readonly #listening: vscode.Disposable;
  #prompts: Promise<Prompts> | undefined;

  constructor(services: () => PromptServices) {
    this.#services = services;
    this.#listening = vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.languageId === promptLanguage) {
        void this.load();
      }
    });
  }

  get isLoaded(): boolean {
    return this.#prompts !== undefined;
  }

  /** Prompts of an earlier life of the window are open before anything is. */
  loadIfOpen(): void {
    if (vscode.workspace.textDocuments.some(({ languageId }) => languageId === promptLanguage)) {
      void this.load();
    }
  }

  load(): Promise<Prompts> {
    this.#prompts ??= import('./prompts').then(
      ({ Prompts: Loaded }) => new Loaded(this.#services()),
    );
    return this.#prompts;
  }

  /** As `Prompts.edit`. */
  async edit({ agent, info, title }: PanelSession, draft: Draft): Promise<void> {
    const { sessionId, cwd, additionalDirectories } = info;
    const session = { agentId: agent.id, sessionId, cwd, additionalDirectories, title };
    await (await this.load()).edit(session, draft);
  }

  /** As `Prompts.fill`. */
  async fill({ agent, info }: PanelSession, prompt: string): Promise<Draft | undefined> {
    const roots = [info.cwd, ...info.additionalDirectories];
    return (await this.load()).fill(vscode.Uri.parse(prompt, true), { roots, agent });
  }

  dispose(): void {
    this.#listening.dispose();
    void this.#prompts?.then((prompts) => prompts.dispose());
  }
}
