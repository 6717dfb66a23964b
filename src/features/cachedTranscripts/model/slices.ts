import { setImmediate } from 'node:timers/promises';

/** Time after which to yield to the event loop, in ms. */
const longest = 8;

/** Cuts long work into slices between which others get their turn. */
export class Slices {
  #end = performance.now() + longest;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + longest;
  }
}
