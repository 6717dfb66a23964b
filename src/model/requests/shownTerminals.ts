import type { SessionUpdate } from '../../protocol/updates';
import type { Transcript } from '../transcript/transcript';
import type { SessionTerminals } from './sessionTerminals';

const running = { kind: 'running' } as const;

/** Shows the output of the agent's terminals in the tool calls of a transcript (TE-9). */
export class ShownTerminals {
  readonly #terminals: SessionTerminals;
  readonly #transcript: Transcript;
  /** Terminals that calls of subagents show, with their transcripts. */
  readonly #nested = new Map<string, Transcript>();

  constructor(terminals: SessionTerminals, transcript: Transcript) {
    this.#terminals = terminals;
    this.#transcript = transcript;
    terminals.onDidChange((id) => this.#show(id));
    transcript.onDidChange(({ type }) => {
      if (type === 'reset') {
        this.#nested.clear();
      }
    });
  }

  /** Notes the terminals that an update of the session or of a subagent is the first to name. */
  note(update: SessionUpdate, transcript = this.#transcript): void {
    // Agents that run their commands themselves, and replays, need none.
    if (this.#terminals.isEmpty) {
      return;
    }
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') {
      const shown = (update.content ?? []).filter((content) => content.type === 'terminal');
      for (const id of new Set(shown.map(({ terminalId }) => terminalId))) {
        // The ids are the agent's, until this client has created such a terminal.
        if (transcript !== this.#transcript && this.#terminals.shown(id) !== undefined) {
          this.#nested.set(id, transcript);
        }
        this.#show(id);
      }
    }
  }

  #show(id: string): void {
    const shown = this.#terminals.shown(id);
    if (shown !== undefined) {
      const { exitStatus } = shown;
      const state = exitStatus ? { kind: 'exited' as const, ...exitStatus } : running;
      const transcript = this.#nested.get(id) ?? this.#transcript;
      transcript.setTerminal(id, shown.output, state);
    }
  }
}
