import { useLayoutEffect } from 'preact/hooks';
import type { RowVirtualizer } from '../rows/virtualizer';

/** Gives entries without a row zero height, until they have one; from last to first, see `useMeasure`. */
export function useHidden(virtualizer: RowVirtualizer, hidden: ReadonlySet<number>): void {
  useLayoutEffect(() => {
    for (const index of [...hidden].sort((a, b) => b - a)) {
      if (virtualizer.itemSizeCache.get(index) !== 0) {
        virtualizer.resizeItem(index, 0);
      }
    }
  }, [virtualizer, hidden]);
}
