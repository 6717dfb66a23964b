import type { SessionUpdate } from '../../protocol/updates';
import type { Draft } from '../../shared/transcript/prompt';

export interface LostTurnHost {
  /** The agent was seen to continue the turn. */
  goesOn(): void;
}

/** How long a prompt waits after the session was opened again, to see whether the agent continues the lost turn. */
const graceMs = 500;

/**
 * A turn whose agent, or whose window, has ended in its midst. Some agents have a program behind them that continues
 * it (T-82): once the session is open again, they send what it does, as if no turn ran.
 */
export class LostTurn {
  readonly #host: LostTurnHost;
  #isLost = false;
  #draft: Draft | undefined;
  /** When the session was opened again, in ms since the epoch, while the agent may still show that the turn continues. */
  #openedAt: number | undefined;
  #heard: (() => void) | undefined;

  constructor(host: LostTurnHost) {
    this.#host = host;
  }

  /** The prompt of the turn that was lost last. */
  get draft(): Draft | undefined {
    return this.#draft;
  }

  /** The turn of this prompt was lost. */
  lose(draft: Draft | undefined): void {
    this.#isLost = true;
    this.#draft = draft;
  }

  /** The session is open again. */
  opened(): void {
    if (this.#isLost) {
      this.#openedAt ??= Date.now();
    }
  }

  /** The session is no longer open. */
  closed(): void {
    this.#openedAt = undefined;
  }

  /** Waits, after a lost turn, until it is seen to continue, or a moment has passed without that. */
  async settled(): Promise<void> {
    const left = this.#openedAt === undefined ? 0 : this.#openedAt + graceMs - Date.now();
    if (left > 0) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
        setTimeout(resolve, left).unref();
      });
    }
  }

  /** A prompt is sent: what comes from now on may be its answer. */
  forget(): void {
    this.#isLost = false;
    this.#openedAt = undefined;
    this.#heard?.();
  }

  /** Call for each update before it is shown. */
  hear(update: SessionUpdate): void {
    if (this.#openedAt === undefined) {
      return;
    }
    if (isPrompt(update)) {
      // The agent still replays the history (T-9), which says nothing of the turn.
      this.#isLost = false;
      this.#openedAt = undefined;
    } else if (isWork(update)) {
      this.forget();
      this.#host.goesOn();
    }
  }
}

function isPrompt({ sessionUpdate }: SessionUpdate): boolean {
  return sessionUpdate === 'user_message_chunk' || sessionUpdate === 'user_message';
}

function isWork(update: SessionUpdate): boolean {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_message':
    case 'agent_thought_chunk':
    case 'agent_thought':
    case 'tool_call':
    case 'tool_call_update':
    case 'tool_call_content_chunk':
    case 'plan':
      return true;
    case 'state_update':
      return update.state !== 'idle';
    case 'session_info_update':
      return update.isWorking === true;
    default:
      return false;
  }
}
