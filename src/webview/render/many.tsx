import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../format';

/** So many are drawn without a pause. */
const atOnce = 200;

/** The first of some things that an agent may send any number of, and the way to the next ones. */
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

/** See `useMany`. */
export function Many<T>({ items, draw }: ManyProps<T>): VNode {
  const [shown, more] = useMany(items);
  return (
    <>
      {shown.map(draw)}
      {more}
    </>
  );
}
