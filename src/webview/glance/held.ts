import type { GlanceItem } from '../../shared/glance/glance';

/** An item as it is shown. */
export interface ShownItem {
  readonly item: GlanceItem;
  /** Whether its session has moved on or is gone: nothing can be done with it any more but to open it. */
  readonly isPast: boolean;
}

/** All items, as the host has them. */
export function freshItems(items: readonly GlanceItem[]): readonly ShownItem[] {
  return items.map((item) => ({ item, isPast: false }));
}

/**
 * What to show while the user is about to click: the same rows at the same places and of the same height. A row whose
 * session is still at the same follows it; any other stays as it is, without its buttons.
 */
export function heldItems(
  shown: readonly ShownItem[],
  items: readonly GlanceItem[],
): readonly ShownItem[] {
  const fresh = new Map(items.map((item) => [item.key, item]));
  return shown.map(({ item, isPast }) => {
    const now = fresh.get(item.key);
    return now !== undefined && !isPast && getShape(item) === getShape(now)
      ? { item: now, isPast: false }
      : { item, isPast: true };
  });
}

/** Whether holding the rows keeps something from the user. */
export function isBehind(shown: readonly ShownItem[], items: readonly GlanceItem[]): boolean {
  return (
    shown.length !== items.length ||
    shown.some(({ item, isPast }, index) => isPast || item.key !== items[index]?.key)
  );
}

/** What a row's height and its buttons depend on. */
export function getShape(item: GlanceItem): string {
  const { key, group, where, since, asked, request, doing, said, toReview, canStop } = item;
  const lines = [
    where !== '' || since !== undefined,
    doing !== undefined,
    said !== undefined,
    toReview > 0,
    canStop,
  ];
  return JSON.stringify([key, group, asked, request?.requestId, lines]);
}
