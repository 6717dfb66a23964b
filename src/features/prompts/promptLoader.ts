import * as vscode from 'vscode';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import { promptLanguage } from '../../platform/ids';
import type { Draft } from '../../shared/transcript/prompt';
import { Lazy } from '../../util/lazy';
import { part } from '../../util/part';
import type { PanelSession } from '../../views/transcript/tabs/panelSession';
import type { PromptServices, Prompts } from './prompts';

const loadPrompts = part(() => import('./prompts'));

/** Loads the part for prompts in editors with the first prompt, not before. */
export class PromptLoader implements vscode.Disposable {
  readonly #listening: vscode.Disposable;
  readonly #prompts: Lazy<Prompts>;

  constructor(services: PromptServices) {
    this.#prompts = new Lazy(async () => new (await loadPrompts()).Prompts(services));
    this.#listening = vscode.workspace.onDidOpenTextDocument((document) => this.#loadFor(document));
    // Prompts may be open from before a reload.
    for (const document of vscode.workspace.textDocuments) {
      this.#loadFor(document);
    }
  }

  get isLoaded(): boolean {
    return this.#prompts.made !== undefined;
  }

  load(): Promise<Prompts> {
    return this.#prompts.get();
  }

  /** Implements `Prompts.edit`. */
  async edit(session: PanelSession, draft: Draft): Promise<void> {
    await (await this.load()).edit(toSavedTranscript(session), draft);
  }

  /** Implements `Prompts.fill`. */
  async fill(session: PanelSession, prompt: string): Promise<Draft | undefined> {
    const roots = [session.info.cwd, ...session.info.additionalDirectories];
    return (await this.load()).fill(vscode.Uri.parse(prompt, true), { roots, session });
  }

  #loadFor({ languageId }: vscode.TextDocument): void {
    if (languageId === promptLanguage) {
      // The user is told if it can't be loaded.
      this.load().catch(() => undefined);
    }
  }

  dispose(): void {
    this.#listening.dispose();
    void this.#prompts.made?.then((prompts) => prompts.dispose());
  }
}
