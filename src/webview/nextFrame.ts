/** Longest wait when no frames are drawn, as in a hidden tab, in milliseconds. */
const maxWaitMs = 250;

/** Calls `run` before the next frame is drawn, or after `maxWaitMs` when none is. */
export function nextFrame(run: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    run();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    run();
  }, maxWaitMs);
}
