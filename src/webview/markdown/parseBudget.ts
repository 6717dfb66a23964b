import { nextFrame } from '../nextFrame';

/** Total time that all texts of the page may be parsed before the next frame, in milliseconds. */
const mostAtOnce = 300;
// Shared by all texts of the page.
let spent = 0;
let isWaiting = false;

/**
 * Whether another text may be parsed before the next frame; the caller then reports the time to
 * `spend`.
 */
export function hasBudget(): boolean {
  return spent < mostAtOnce;
}

/** Adds to the time spent, which is reset after the next frame. */
export function spend(milliseconds: number): void {
  spent += milliseconds;
  if (!isWaiting) {
    isWaiting = true;
    nextFrame(() => {
      // After the frame, which the next text's parsing would otherwise delay.
      setTimeout(() => {
        spent = 0;
        isWaiting = false;
      });
    });
  }
}
