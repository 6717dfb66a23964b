import { StringDecoder } from 'node:string_decoder';
import type { AgentTerminalPatch, SessionUpdate } from '../../protocol/updates';
import type { TerminalSize } from '../../shared/terminal/terminalScreen';
import type { TerminalState } from '../../shared/transcript/entries';
import { keepNewest } from '../transcript/reduceToolCall';
import type { Transcript } from '../transcript/transcript';

/** Terminals that are known; those that were heard of longest ago are forgotten. */
const maxTerminals = 1_000;
/** UTF-16 units of output of all of them, shown or not. */
const maxOutputUnits = 16 * 1024 * 1024;
/** Calls that show one terminal: the newest. */
const maxCalls = 16;

interface AgentTerminal {
  /** Since a piece of its output has ended within a character. */
  decoder: StringDecoder | undefined;
  output: string;
  command: string;
  canCancel: boolean;
  /** Absent until the agent has told anything about it. */
  state: TerminalState | undefined;
  /** The calls that refer to it. */
  calls: readonly ShownIn[];
}

/** What is known of a terminal, shown or not. */
export interface KnownTerminal {
  readonly command: string;
  readonly output: string;
  /** Whether the agent lets it be stopped (V2-TERM-7). */
  readonly canCancel: boolean;
  readonly state: TerminalState | undefined;
  /** The entries of the calls that show it, in whichever transcript. */
  readonly calls: readonly ShownIn[];
}

interface ShownIn {
  readonly transcript: Transcript;
  readonly index: number;
}

/**
 * The terminals that an agent of version 2 runs itself, and reports. They are only to be displayed (V2-TERM-6): each is
 * shown in the calls that refer to it, and isn't shown until one does, however much it has put out before. What calls
 * show of a forgotten one stays.
 */
export class AgentTerminals {
  /** The terminals by session and id, those heard of longest ago first. */
  readonly #terminals = new Map<string, AgentTerminal>();
  /** Length of all output. */
  #units = 0;
  readonly #printed: (terminalId: string) => void;

  /** `printed`: a terminal of the session itself has new output. */
  constructor(transcript: Transcript, printed: (terminalId: string) => void) {
    this.#printed = printed;
    transcript.onDidChange(({ type }) => {
      if (type === 'reset') {
        this.#terminals.clear();
        this.#units = 0;
      }
    });
  }

  /** A terminal of the session itself. */
  find(terminalId: string): KnownTerminal | undefined {
    return this.#terminals.get(`0 ${terminalId}`);
  }

  /**
   * Call after the update was applied to this transcript. `scope`: the number of the subagent in whose session it came;
   * ids are those of one session.
   */
  take(update: SessionUpdate, transcript: Transcript, scope = 0): void {
    switch (update.sessionUpdate) {
      case 'terminal_update':
        this.#patch(update, scope);
        break;
      case 'terminal_output_chunk': {
        const terminal = this.#at(scope, update.terminalId);
        const text = getText(terminal, update.data);
        this.#show(terminal, update.terminalId, terminal.output + text);
        if (scope === 0) {
          this.#printed(update.terminalId);
        }
        break;
      }
      case 'tool_call':
      case 'tool_call_update':
      case 'tool_call_content_chunk':
        for (const item of update.content ?? []) {
          if (item.type === 'terminal') {
            this.#refer(item.terminalId, scope, transcript, update.toolCallId);
          }
        }
        break;
      default:
        break;
    }
  }

  /** Absent fields are unchanged; `null` clears them (V2-TERM-1). */
  #patch(patch: AgentTerminalPatch, scope: number): void {
    const { terminalId, output, exit, size, command, canCancel } = patch;
    const terminal = this.#at(scope, terminalId);
    terminal.command = command === undefined ? terminal.command : (command ?? '');
    terminal.canCancel = canCancel ?? terminal.canCancel;
    if (output !== undefined) {
      // A character may continue in the next chunk, but none from before continues here.
      terminal.decoder = undefined;
    }
    const all = output === undefined ? terminal.output : getText(terminal, output ?? '');
    const { state = running } = terminal;
    const next =
      exit === undefined ? state : exit ? ({ kind: 'exited', ...exit } as const) : running;
    const isSame = exit === undefined && size === undefined;
    const sized = size === undefined ? state.size : (size ?? undefined);
    this.#show(terminal, terminalId, all, isSame ? undefined : withSize(next, sized));
  }

  #refer(terminalId: string, scope: number, transcript: Transcript, toolCallId: string): void {
    const index = transcript.calls.get(toolCallId);
    const terminal = this.#at(scope, terminalId);
    const isShown = (shown: ShownIn): boolean =>
      shown.transcript === transcript && shown.index === index;
    if (index !== undefined && !terminal.calls.some(isShown)) {
      terminal.calls = [...terminal.calls, { transcript, index }].slice(-maxCalls);
      if (terminal.state !== undefined) {
        transcript.setTerminalAt(index, terminalId, terminal.output, terminal.state);
      }
    }
  }

  #at(scope: number, terminalId: string): AgentTerminal {
    const key = `${scope} ${terminalId}`;
    const terminal = this.#terminals.get(key) ?? {
      decoder: undefined,
      output: '',
      command: '',
      canCancel: false,
      state: undefined,
      calls: [],
    };
    this.#terminals.delete(key);
    this.#terminals.set(key, terminal);
    return terminal;
  }

  #show(
    terminal: AgentTerminal,
    terminalId: string,
    output: string,
    state = terminal.state ?? running,
  ): void {
    const kept = keepNewest(output);
    if (kept === terminal.output && state === terminal.state) {
      return;
    }
    this.#units += kept.length - terminal.output.length;
    terminal.output = kept;
    terminal.state = state;
    for (const { transcript, index } of terminal.calls) {
      transcript.setTerminalAt(index, terminalId, kept, state);
    }
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [key, { output }] of this.#terminals) {
      if (this.#terminals.size <= maxTerminals && this.#units <= maxOutputUnits) {
        return;
      }
      this.#terminals.delete(key);
      this.#units -= output.length;
    }
  }
}

function withSize(state: TerminalState, size: TerminalSize | undefined): TerminalState {
  const { size: _, ...rest } = state;
  return { ...rest, isAgents: true, ...(size !== undefined && { size }) };
}

const running: TerminalState = { kind: 'running', isAgents: true };

/** The text of these bytes, whose last character may be incomplete until the next ones come (V2-TERM-3). */
function getText(terminal: AgentTerminal, base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (terminal.decoder === undefined) {
    const text = bytes.toString('utf8');
    if (!text.endsWith('\ufffd')) {
      return text;
    }
    // Few need one, which takes more time and memory than the terminal itself.
    terminal.decoder = new StringDecoder('utf8');
  }
  return terminal.decoder.write(bytes);
}
