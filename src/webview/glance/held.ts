import type { GlanceItem, GlanceSame, GlanceTask } from '../../shared/glance/glance';

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

/** Requests that ask for the same, as they are shown. */
export interface ShownSame {
  readonly same: GlanceSame;
  /** Whether one of them waits no more: nothing can be done with them together any more. */
  readonly isPast: boolean;
}

export function freshSame(all: readonly GlanceSame[]): readonly ShownSame[] {
  return all.map((same) => ({ same, isPast: false }));
}

/** What to show while the user is about to click: the same requests, to which none is added. */
export function heldSame(
  shown: readonly ShownSame[],
  all: readonly GlanceSame[],
): readonly ShownSame[] {
  const waiting = new Set(
    all.flatMap(({ requests }) => requests.map(({ requestId }) => requestId)),
  );
  return shown.map(({ same, isPast }) => ({
    same,
    isPast: isPast || !same.requests.every(({ requestId }) => waiting.has(requestId)),
  }));
}

/** Whether holding them keeps something from the user. */
export function isSameBehind(shown: readonly ShownSame[], all: readonly GlanceSame[]): boolean {
  const fresh = all.map(getSameShape).join('\n');
  return shown.map(({ same }) => getSameShape(same)).join('\n') !== fresh;
}

/** Which requests are answered together, and what is shown of them. */
export function getSameShape({ asked, requests }: GlanceSame): string {
  return JSON.stringify([asked, requests.map(({ key, requestId }) => [key, requestId])]);
}

/** What to show of tasks while the user is about to click: the same ones, without a button if they have ended. */
export function heldTasks(
  shown: readonly GlanceTask[],
  tasks: readonly GlanceTask[],
): readonly GlanceTask[] {
  return shown.map((old) => {
    const { canStop: _, ...ended } = old;
    return tasks.find(({ key, id }) => key === old.key && id === old.id) ?? ended;
  });
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
