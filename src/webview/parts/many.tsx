import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../words/format';

/** Number of items that are drawn without a noticeable pause. */
const atOnce = 200;

/** The first items of a list that may have any length, and a button that shows more. */
export function useMany<T>(items: readonly T[]): [shown: readonly T[], more: VNode | null] {
  const [most, setMost] = useState(atOnce);
  const left = items.length - most;
  if (left <= 0) {
    return [items, null];
  }
  const more = (
    <button type="button" class="more" onClick={() => setMost(most + atOnce)}>
      {left === 1 ? l10n.t('Show 1 more') : l10n.t('Show {0} more', formatNumber(left))}
    </button>
  );
  return [items.slice(0, most), more];
}

interface ManyProps<T> {
  readonly items: readonly T[];
  readonly draw: (item: T, at: number) => ComponentChildren;
}

/** A list drawn with `useMany`. */
export function Many<T>({ items, draw }: ManyProps<T>): VNode {
  const [shown, more] = useMany(items);
  return (
    <>
      {shown.map(draw)}
      {more}
    </>
  );
}
