import { readTraceLine } from '../../../protocol/trace/traceFormat';
import type { SessionUpdate } from '../../../protocol/updates';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';

/**
 * Turns the lines of a session into the params of the updates that show it. A prompt becomes a message of the user, as
 * in a history; if the agent has sent it back, that isn't shown a second time (UP-6, T-22). What a session was doing is
 * over, so that isn't replayed but for the end of a turn that didn't end normally.
 */
export class ReplayedUpdates {
  readonly #sessionId: string;
  /** The text of the prompt whose turn it is, and the number of its other blocks. */
  #prompt: string | undefined;
  #others = 0;
  /** Length of the prompt's text that was sent back. */
  #echoed = 0;
  /** Whether the session has been doing something since it was idle, as an agent of version 2 says. */
  #isWorking = false;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** `undefined` if the line isn't what the trace had there. */
  take(line: string | undefined, number: number): readonly JsonObject[] | undefined {
    const read = line === undefined ? undefined : readTraceLine(line);
    if (read?.kind === 'message' && read.message['method'] === undefined) {
      return this.#takeEnd(read.message);
    }
    const params = read?.kind === 'message' ? read.message['params'] : undefined;
    if (read?.kind !== 'message' || !isObject(params)) {
      return undefined;
    }
    if (read.direction === 'toAgent') {
      return this.#takePrompt(asArray(params['prompt']), number);
    }
    const { update } = params;
    if (read.message['method'] !== 'session/update' || !isObject(update)) {
      return undefined;
    }
    if (update['sessionUpdate'] === 'state_update') {
      return this.#takeState(params['sessionId'], update);
    }
    return this.#isEcho(params['sessionId'], update) ? [] : [params];
  }

  /** Takes the state, which in version 2 says how a turn has ended, and may be repeated (V2-TURN-2, V2-TURN-3). */
  #takeState(sessionId: unknown, { state, stopReason, error }: JsonObject): readonly JsonObject[] {
    if (sessionId !== this.#sessionId) {
      return [];
    }
    const isEnd = this.#isWorking && state === 'idle';
    this.#isWorking = state !== 'idle';
    const said = asString(stopReason);
    if (!isEnd || said === undefined || said === 'end_turn') {
      return [];
    }
    return said === 'error' ? this.#endWith(error) : this.#endFor(said);
  }

  #takePrompt(blocks: readonly unknown[], number: number): readonly JsonObject[] {
    const texts = blocks.map(findText);
    this.#prompt = texts.join('');
    this.#others = texts.filter((text) => text === undefined).length;
    this.#echoed = 0;
    // Tells the message apart from the one before it.
    const messageId = `trace-${number}`;
    return blocks.map((content) => ({
      sessionId: this.#sessionId,
      update: { sessionUpdate: 'user_message_chunk', content, messageId },
    }));
  }

  /** The answer to a prompt whose turn didn't end normally. */
  #takeEnd({ result, error }: JsonObject): readonly JsonObject[] {
    const said = asString(isObject(result) ? result['stopReason'] : undefined);
    return said === undefined ? this.#endWith(error) : this.#endFor(said);
  }

  #endWith(error: unknown): readonly JsonObject[] {
    const message = isObject(error) ? asString(error['message']) : undefined;
    return this.#end(message || 'failed');
  }

  #endFor(stopReason: string): readonly JsonObject[] {
    // What the agent then dropped from its context isn't marked as such.
    return this.#end(stopReason === 'refusal' ? 'refused' : stopReason);
  }

  #end(stopReason: string): readonly JsonObject[] {
    const update: SessionUpdate = { sessionUpdate: '_acp_sessions_turn_end', stopReason };
    return [{ sessionId: this.#sessionId, update }];
  }

  #isEcho(sessionId: unknown, { sessionUpdate, content }: JsonObject): boolean {
    if (this.#prompt === undefined || sessionId !== this.#sessionId) {
      return false;
    }
    if (sessionUpdate !== 'user_message_chunk') {
      this.#echoed = 0;
      return false;
    }
    const text = findText(content);
    if (text === undefined) {
      return this.#others > 0;
    }
    if (!this.#prompt.startsWith(text, this.#echoed)) {
      return false;
    }
    this.#echoed = (this.#echoed + text.length) % Math.max(1, this.#prompt.length);
    return true;
  }
}

function findText(block: unknown): string | undefined {
  return isObject(block) && block['type'] === 'text' ? asString(block['text']) : undefined;
}
