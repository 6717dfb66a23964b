import type { AgentConnection, SteeringOutcome } from '../../protocol/agentConnection';
import { AcpError } from '../../protocol/errors';
import type { Block } from '../../shared/transcript/content';
import type { SteeringState } from '../../shared/transcript/entries';
import type { Draft, QueuedPrompt } from '../../shared/transcript/prompt';
import type { Transcript } from '../transcript/transcript';
import type { PromptQueue } from './promptQueue';

export interface SteeringHost {
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly queue: PromptQueue;
  /** The connection of the running turn once its prompt was sent, unless it is being canceled. */
  running(): AgentConnection | undefined;
  /** Converts a draft to the content blocks for this agent; rejects if that fails. */
  blocks(draft: Draft, connection: AgentConnection): Promise<readonly Block[]>;
  /**
   * The prompt with this entry goes out: the agent may send it back. Returns what to call when the agent tells its id.
   */
  sending(blocks: readonly Block[], index: number): (messageId: string) => void;
  /** The agent hasn't taken the prompt; `index` is that of its entry if no turn ran any more. */
  refused(queued: QueuedPrompt, index: number | undefined): void;
  /** The agent has begun a turn of its own with the prompt. */
  startedNewTurn(prompt: string): void;
  changed(): void;
}

type Outcome = SteeringOutcome | 'unknown';

/** Sends prompts into the running turn (T-39). */
export class Steering {
  readonly #host: SteeringHost;
  readonly #preparing = new Set<QueuedPrompt>();
  /** The entries of prompts that the agent hasn't answered yet, while those exist. */
  readonly #entries = new Map<QueuedPrompt, number>();

  constructor(host: SteeringHost) {
    this.#host = host;
  }

  /**
   * Sends a queued prompt into the running turn. It stays in the queue if no turn runs any more, or
   * the agent doesn't offer this. Rejects if the prompt's attachments can't be read.
   */
  async send(queued: QueuedPrompt): Promise<void> {
    const host = this.#host;
    const connection = host.running();
    if (!connection?.capabilities.steering || this.#preparing.has(queued)) {
      return;
    }
    this.#preparing.add(queued);
    try {
      const blocks = await host.blocks(queued.draft, connection);
      if (host.running() === connection && host.queue.has(queued)) {
        await this.#send(queued, connection, blocks);
      }
    } finally {
      this.#preparing.delete(queued);
    }
  }

  /** Whether the agent hasn't answered the prompt with this entry yet. */
  awaits(index: number): boolean {
    return [...this.#entries.values()].includes(index);
  }

  /** The transcript was reset: the indexes are void. */
  forgetHistory(): void {
    this.#entries.clear();
  }

  async #send(
    queued: QueuedPrompt,
    connection: AgentConnection,
    blocks: readonly Block[],
  ): Promise<void> {
    const host = this.#host;
    host.queue.remove(queued);
    const added = host.transcript.add({
      kind: 'user',
      blocks,
      steering: 'sending',
      seen: Date.now(),
    });
    this.#entries.set(queued, added);
    const inserted = host.sending(blocks, added);
    host.changed();
    const outcome: Outcome = await connection
      .steer(host.sessionId, blocks, inserted)
      .catch(asOutcome);
    const index = this.#entries.get(queued);
    this.#entries.delete(queued);
    if (index !== undefined) {
      this.#say(index, states[outcome]);
    }
    if (outcome === 'promptRequired' || outcome === 'failed') {
      host.refused(queued, outcome === 'promptRequired' ? index : undefined);
    } else if (outcome === 'startedNewTurn') {
      host.startedNewTurn(queued.draft.text);
    }
    host.changed();
  }

  #say(index: number, steering: SteeringState): void {
    const { transcript } = this.#host;
    const entry = transcript.entries[index];
    if (entry?.kind === 'user') {
      transcript.replace(index, { ...entry, steering });
    }
  }
}

const states: Readonly<Record<Outcome, SteeringState>> = {
  injected: 'taken',
  startedNewTurn: 'taken',
  promptRequired: 'refused',
  failed: 'refused',
  unknown: 'unknown',
};

/** Errors after which the agent may have taken the prompt; any other one says that it hasn't. */
const undecided: ReadonlySet<string> = new Set(['timeout', 'malformed', 'exited']);

function asOutcome(error: unknown): Outcome {
  return error instanceof AcpError && undecided.has(error.code) ? 'unknown' : 'failed';
}
