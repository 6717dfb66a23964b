import { useLayoutEffect, useState } from 'preact/hooks';
import type { RowVirtualizer } from './virtualizer';

/**
 * Tells the list how high its rows are: new ones as soon as they are in the page, before anything is
 * painted, others when they change. Together and from the last to the first, because a row's height
 * moves only what is below it: the list then need not work out all places anew for each of them,
 * which takes milliseconds when there are 100,000.
 */
export function useMeasure(virtualizer: RowVirtualizer): (row: HTMLElement) => () => void {
  const [measure] = useState(() => new RowMeasure(virtualizer));
  useLayoutEffect(() => measure.takeNew());
  useLayoutEffect(() => () => measure.dispose(), [measure]);
  return measure.add;
}

class RowMeasure {
  readonly #virtualizer: RowVirtualizer;
  readonly #observer = new ResizeObserver((changes) => {
    this.#report(
      changes.map(({ target, borderBoxSize: [box] }) => ({
        index: indexOf(target),
        height: target.isConnected ? box?.blockSize : undefined,
      })),
    );
  });
  #new: HTMLElement[] = [];

  constructor(virtualizer: RowVirtualizer) {
    this.#virtualizer = virtualizer;
  }

  readonly add = (row: HTMLElement): (() => void) => {
    this.#new.push(row);
    this.#observer.observe(row, { box: 'border-box' });
    return () => this.#observer.unobserve(row);
  };

  takeNew(): void {
    const rows = this.#new.splice(0);
    this.#report(rows.map((row) => ({ index: indexOf(row), height: row.offsetHeight })));
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  #report(rows: readonly { readonly index: number; readonly height: number | undefined }[]): void {
    for (const { index, height } of rows.toSorted((a, b) => b.index - a.index)) {
      if (height !== undefined && height > 0) {
        this.#virtualizer.resizeItem(index, Math.round(height));
      }
    }
  }
}

function indexOf(row: Element): number {
  return Number(row.getAttribute('data-index'));
}
