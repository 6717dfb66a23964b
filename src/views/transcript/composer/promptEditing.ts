import type { Draft } from '../../../shared/transcript/prompt';
import type { PanelSession, PromptEditing } from '../tabs/panelSession';

/** Prompts written in editors, once a feature provides that; rejects before. */
export class ProvidedPromptEditing implements PromptEditing {
  #provided: PromptEditing | undefined;

  provide(editing: PromptEditing): void {
    this.#provided = editing;
  }

  async edit(session: PanelSession, draft: Draft): Promise<void> {
    await this.#editing.edit(session, draft);
  }

  async fill(session: PanelSession, prompt: string): Promise<Draft | undefined> {
    return this.#editing.fill(session, prompt);
  }

  get #editing(): PromptEditing {
    if (this.#provided === undefined) {
      throw new Error('Nothing edits prompts in editors yet');
    }
    return this.#provided;
  }
}
