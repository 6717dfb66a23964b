import { nextFrame } from '../nextFrame';

/** What all texts of a page may be parsed for before it draws again, in milliseconds. */
const mostAtOnce = 300;
let spent = 0;
let isWaiting = false;

/** Whether another text may be parsed before the page draws again; whoever may says how long it took. */
export function mayParse(): boolean {
  return spent < mostAtOnce;
}

/** Counts time until the page has drawn. */
export function hasParsed(milliseconds: number): void {
  spent += milliseconds;
  if (!isWaiting) {
    isWaiting = true;
    nextFrame(() => {
      // Behind the frame, which the next one to parse would hold up otherwise.
      setTimeout(() => {
        spent = 0;
        isWaiting = false;
      });
    });
  }
}
