import { useLayoutEffect, useState } from 'preact/hooks';
import type { RowVirtualizer } from '../rows/virtualizer';

/**
 * Reports row heights to the virtualizer: new rows as soon as they are in the DOM and before paint,
 * others when they change. Heights are reported in batches, from last to first, because a height
 * moves only the rows below it: otherwise each one would recompute all positions, which takes
 * milliseconds with 100,000 entries.
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
        index: getIndex(target),
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
    this.#report(rows.map((row) => ({ index: getIndex(row), height: row.offsetHeight })));
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

function getIndex(row: Element): number {
  return Number(row.getAttribute('data-index'));
}
