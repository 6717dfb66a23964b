import { asString, type JsonObject } from '../../util/json';
import { setNewest } from '../../util/setNewest';

/** Messages of users, and prompts, that wait for each other; with more, the oldest are forgotten. */
const most = 2000;
/** UTF-16 units of a message's id; longer ones aren't compared. */
const maxIdLength = 200;

/**
 * Finds the prompts of version 2 that the agent has sent back as messages of the user: by the id in the answer to the
 * prompt, which may come before or after the message (V2-TURN-7).
 */
export class TracedEchoes {
  readonly #messages = new Map<string, true>();
  /** The lines of the prompts, by the ids in their answers. */
  readonly #prompts = new Map<string, number>();

  /** Takes an update; returns the line of the prompt that it sends back, if it was answered already. */
  userMessage(sessionId: string, update: JsonObject): number | undefined {
    const { sessionUpdate } = update;
    const messageId = asString(update['messageId']);
    if (sessionUpdate !== 'user_message' && sessionUpdate !== 'user_message_chunk') {
      return undefined;
    }
    if (messageId === undefined || messageId.length > maxIdLength) {
      return undefined;
    }
    const key = getKey(sessionId, messageId);
    setNewest(this.#messages, key, true, most);
    return this.#prompts.get(key);
  }

  /** Takes the answer to a prompt; returns whether the agent has sent the prompt back already. */
  accepted(sessionId: string, messageId: string, line: number): boolean {
    if (messageId.length > maxIdLength) {
      return false;
    }
    const key = getKey(sessionId, messageId);
    setNewest(this.#prompts, key, line, most);
    return this.#messages.has(key);
  }
}

function getKey(sessionId: string, messageId: string): string {
  return JSON.stringify([sessionId, messageId]);
}
