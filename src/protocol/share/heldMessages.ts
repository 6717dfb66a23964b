/** UTF-16 units of all that is held; beyond that, the session that was heard of first is forgotten. */
const most = 1024 * 1024;

/** Updates of sessions that aren't shared, or not yet: agents send some before they say what they have begun (T-19). */
export class HeldMessages {
  /** The texts of their messages, by session. */
  readonly #held = new Map<string, string[]>();
  #length = 0;

  add(sessionId: string, text: string): void {
    const texts = this.#held.get(sessionId) ?? [];
    texts.push(text);
    this.#held.set(sessionId, texts);
    this.#length += text.length;
    for (const first of this.#held.keys()) {
      if (this.#length <= most) {
        return;
      }
      this.take(first);
    }
  }

  /** Takes the messages of a session, in their order, once. */
  take(sessionId: string): readonly string[] {
    const texts = this.#held.get(sessionId) ?? [];
    this.#held.delete(sessionId);
    for (const { length } of texts) {
      this.#length -= length;
    }
    return texts;
  }
}
