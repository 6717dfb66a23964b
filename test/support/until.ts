/** The timers of the system, not those of a test that replaces the clock. */
const { setImmediate, setTimeout } = globalThis;

/** Waits until the condition holds; the test's time limit ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    // An agent in memory answers within some turns of the event loop. A process takes longer, and needs the processor.
    await new Promise<unknown>((resolve) =>
      round < 100 ? setImmediate(resolve, undefined) : setTimeout(resolve, 2),
    );
  }
}
