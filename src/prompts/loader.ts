import * as vscode from 'vscode';
import { savedOf } from '../model/session/savedTranscript';
import { promptLanguage } from '../platform/ids';
import type { Draft } from '../shared/transcript/prompt';
import { deferred } from '../util/async';
import { Lazy } from '../util/lazy';
import type { PanelSession } from '../views/transcript/tabs/panelSession';
import type { PromptServices, Prompts } from './prompts';

/** Loads the separate bundle for prompts in editors with the first prompt, not before. */
export class PromptLoader implements vscode.Disposable {
  readonly #services = deferred<PromptServices>();
  readonly #listening: vscode.Disposable;
  readonly #prompts = new Lazy(async () => {
    const { Prompts: Loaded } = await import('./prompts');
    return new Loaded(await this.#services.promise);
  });

  constructor() {
    this.#listening = vscode.workspace.onDidOpenTextDocument((document) => this.#loadFor(document));
  }

  get isLoaded(): boolean {
    return this.#prompts.made !== undefined;
  }

  /**
   * Provides the services, which are created after this object. Prompts may be open from before a
   * reload.
   */
  provide(services: PromptServices): void {
    this.#services.resolve(services);
    for (const document of vscode.workspace.textDocuments) {
      this.#loadFor(document);
    }
  }

  load(): Promise<Prompts> {
    return this.#prompts.get();
  }

  /** As `Prompts.edit`. */
  async edit(session: PanelSession, draft: Draft): Promise<void> {
    await (await this.load()).edit(savedOf(session), draft);
  }

  /** As `Prompts.fill`. */
  async fill({ agent, info }: PanelSession, prompt: string): Promise<Draft | undefined> {
    const roots = [info.cwd, ...info.additionalDirectories];
    return (await this.load()).fill(vscode.Uri.parse(prompt, true), { roots, agent });
  }

  #loadFor({ languageId }: vscode.TextDocument): void {
    if (languageId === promptLanguage) {
      void this.load();
    }
  }

  dispose(): void {
    this.#listening.dispose();
    void this.#prompts.made?.then((prompts) => prompts.dispose());
  }
}
