import type { SessionUpdate } from '../../protocol/updates';
import type { Transcript } from '../transcript/transcript';
import type { SessionTerminals } from './sessionTerminals';

const running = { kind: 'running' } as const;

/** Shows the output of the agent's terminals in the tool calls of a transcript (TE-9). */
export class ShownTerminals {
  readonly #terminals: SessionTerminals;
  readonly #transcript: Transcript;

  constructor(terminals: SessionTerminals, transcript: Transcript) {
    this.#terminals = terminals;
    this.#transcript = transcript;
    terminals.onDidChange((id) => this.#show(id));
  }

  /** An update may be the first that names a terminal. */
  note(update: SessionUpdate): void {
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') {
      const shown = (update.content ?? []).filter((content) => content.type === 'terminal');
      for (const id of new Set(shown.map(({ terminalId }) => terminalId))) {
        this.#show(id);
      }
    }
  }

  #show(id: string): void {
    const shown = this.#terminals.shown(id);
    if (shown !== undefined) {
      const { exitStatus } = shown;
      const state = exitStatus ? { kind: 'exited' as const, ...exitStatus } : running;
      this.#transcript.setTerminal(id, shown.output, state);
    }
  }
}
