import type { Draft, QueuedPrompt } from '../../shared/transcript/prompt';

/** The prompts of a session that weren't sent yet, in the order in which they will be sent. */
export class PromptQueue {
  #all: readonly QueuedPrompt[] = [];
  #lastId = 0;

  get all(): readonly QueuedPrompt[] {
    return this.#all;
  }

  /** The prompt to send next; held ones wait for the user. */
  get next(): QueuedPrompt | undefined {
    return this.#all.find(({ held }) => !held);
  }

  find(id: number): QueuedPrompt | undefined {
    return this.#all.find((queued) => queued.id === id);
  }

  has(queued: QueuedPrompt): boolean {
    return this.#all.includes(queued);
  }

  /** `at`: the prompt is held until then. */
  add(draft: Draft, at?: number): QueuedPrompt {
    const id = ++this.#lastId;
    const queued: QueuedPrompt = at === undefined ? { id, draft } : { id, draft, held: true, at };
    this.#all = [...this.#all, queued];
    return queued;
  }

  /** Puts a prompt at the front; `held`: the user has to send it. */
  putFirst({ id, draft }: QueuedPrompt, held: boolean): void {
    this.#all = [{ id, draft, ...(held && { held }) }, ...this.#all];
  }

  /** Puts the prompts that an earlier window has left at the front, held. */
  restore(drafts: readonly Draft[]): void {
    const held = drafts.map((draft) => ({ id: ++this.#lastId, draft, held: true as const }));
    this.#all = [...held, ...this.#all];
  }

  remove(queued: QueuedPrompt): void {
    this.#all = this.#all.filter((other) => other !== queued);
  }

  /** Moves a prompt to this index among those that are held like it, or to the nearest one. */
  move(id: number, to: number): void {
    const moved = this.find(id);
    if (moved === undefined) {
      return;
    }
    const isAlike = ({ held, at }: QueuedPrompt): boolean =>
      held === moved.held && (at === undefined) === (moved.at === undefined);
    const others = this.#all.filter((other) => isAlike(other) && other !== moved);
    const alike = [...others.slice(0, to), moved, ...others.slice(to)].values();
    this.#all = this.#all.map((other) => (isAlike(other) ? (alike.next().value ?? other) : other));
  }

  /** Holds all prompts but this one, so that none is sent automatically; returns how many weren't held. */
  hold(except?: QueuedPrompt): number {
    const isWaiting = (queued: QueuedPrompt): boolean => !queued.held && queued !== except;
    const waiting = this.#all.filter(isWaiting).length;
    if (waiting > 0) {
      this.#all = this.#all.map((each) => (isWaiting(each) ? { ...each, held: true } : each));
    }
    return waiting;
  }
}
