import type { Block } from '../../shared/transcript/content';
import type { SessionUpdateEvent } from '../agentConnection';
import type { SessionUpdate } from '../updates';

type Chunk = Extract<
  SessionUpdate,
  { sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk' }
>;
type TextChunk = Chunk & {
  readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk';
  readonly content: Extract<Block, { type: 'text' }>;
};

/** UTF-16 units of the texts that are joined. */
const mostJoined = 64 * 1024;

/**
 * Joins the texts of one message that arrive together, as in a replay, so that all that follows has fewer updates to
 * handle. Nobody could tell where the chunks were, but for two kinds, which stay apart: a user's message, whose chunks
 * are the blocks of a prompt, and a thought with a heading (`reduceMessage`).
 */
export class JoinedChunks {
  readonly #deliver: (event: SessionUpdateEvent) => void;
  #held: SessionUpdateEvent | undefined;
  /** The update of the held event, if it can be continued. */
  #open: TextChunk | undefined;
  /** The texts so far, once there are several. */
  #text: string | undefined;

  constructor(deliver: (event: SessionUpdateEvent) => void) {
    this.#deliver = deliver;
  }

  add(event: SessionUpdateEvent): void {
    const { update } = event;
    const chunk = isText(update) ? update : undefined;
    const open = this.#open;
    if (chunk !== undefined && open !== undefined && this.#held?.sessionId === event.sessionId) {
      const text = this.#text ?? open.content.text;
      if (continues(open, chunk) && text.length + chunk.content.text.length <= mostJoined) {
        this.#text = text + chunk.content.text;
        return;
      }
    }
    this.flush();
    this.#held = event;
    this.#open = chunk;
  }

  /** Delivers what is held; call before anything that must follow it. */
  flush(): void {
    const held = this.#held;
    const text = this.#text;
    const open = this.#open;
    this.drop();
    if (held !== undefined) {
      const isJoined = text !== undefined && open !== undefined;
      const update = isJoined ? { ...open, content: { type: 'text', text } as const } : held.update;
      this.#deliver(isJoined ? { sessionId: held.sessionId, update } : held);
    }
  }

  drop(): void {
    this.#held = undefined;
    this.#open = undefined;
    this.#text = undefined;
  }
}

function isText(update: SessionUpdate): update is TextChunk {
  return (
    (update.sessionUpdate === 'agent_message_chunk' ||
      update.sessionUpdate === 'agent_thought_chunk') &&
    update.content.type === 'text'
  );
}

function continues(open: TextChunk, chunk: TextChunk): boolean {
  return (
    chunk.sessionUpdate === open.sessionUpdate &&
    chunk.messageId === open.messageId &&
    chunk.parentCallId === open.parentCallId &&
    chunk.idIsUnique === open.idIsUnique &&
    !(chunk.sessionUpdate === 'agent_thought_chunk' && chunk.content.text.startsWith('**'))
  );
}
