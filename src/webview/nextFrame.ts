/** Longest wait where no frames are drawn, as in a hidden tab, in milliseconds. */
const longestWait = 250;

/** Runs before the next frame is drawn, or a little later where none is. */
export function nextFrame(run: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    run();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    run();
  }, longestWait);
}
