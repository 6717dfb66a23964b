import type { ReadonlySignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  type FromGlance,
  type GlanceAway,
  type GlanceGroup,
  type GlanceTask,
  glanceGroups,
  type ToGlance,
} from '../../shared/glance/glance';
import { Away } from './away';
import { GlanceRow } from './glanceRow';
import {
  freshItems,
  freshSame,
  getSameShape,
  getShape,
  heldItems,
  heldSame,
  heldTasks,
  isBehind,
  isSameBehind,
  type ShownItem,
  type ShownSame,
} from './held';
import { SameCard } from './sameCard';
import { Tasks } from './tasks';

interface GlanceProps {
  /** `undefined` until the host has answered. */
  readonly told: ReadonlySignal<ToGlance | undefined>;
  readonly post: (message: FromGlance) => void;
}

const headings: Readonly<Record<GlanceGroup, string>> = {
  needsAnswer: l10n.t('Needs an answer'),
  running: l10n.t('Running'),
  done: l10n.t('Done, not read yet'),
  review: l10n.t('To review'),
};

/** All sessions that concern the user. Nothing moves while the user is about to click. */
export function Glance({ told, post }: GlanceProps): VNode {
  const list = useRef<HTMLElement>(null);
  const isHeld = useHold(list);
  const shown = useRef<readonly ShownItem[]>([]);
  const shownSame = useRef<readonly ShownSame[]>([]);
  const shownTasks = useRef<readonly GlanceTask[]>([]);
  const { items = [], same = [], tasks = [], away, left = 0 } = told.value ?? {};
  const shownAway = useRef(away);
  // It stands above all else: it doesn't come while the user aims, but goes when it is dismissed.
  shownAway.current = isHeld && shownAway.current === undefined ? undefined : away;
  const keeps = isHeld && shown.current.length + shownTasks.current.length > 0;
  shownTasks.current = keeps ? heldTasks(shownTasks.current, tasks) : tasks;
  shown.current = keeps ? heldItems(shown.current, items) : freshItems(items);
  shownSame.current = keeps ? heldSame(shownSame.current, same) : freshSame(same);
  const waits = isHeld && (isBehind(shown.current, items) || isSameBehind(shownSame.current, same));
  const focus = useFocusKept();
  const layout = useLayoutNumber(shown.current, shownSame.current, shownAway.current);
  return (
    <main class="glance-list" ref={list} {...focus}>
      <h1 class="sr-only">{l10n.t('Sessions at a Glance')}</h1>
      {told.value !== undefined && shown.current.length + shownTasks.current.length === 0 && (
        <Empty post={post} />
      )}
      {shownAway.current && <Away away={shownAway.current} post={post} />}
      {shownSame.current.map((one) => (
        <SameCard key={getSameShape(one.same)} {...one} layout={layout} post={post} />
      ))}
      {glanceGroups.map((group) => (
        <Group key={group} group={group} shown={shown.current} layout={layout} post={post} />
      ))}
      <Tasks tasks={shownTasks.current} post={post} />
      {left > 0 && <p class="glance-left">{l10n.t('{0} more sessions', left)}</p>}
      {waits && (
        <div class="glance-waits" role="status">
          {l10n.t('There is news. It shows when the pointer rests or leaves.')}
        </div>
      )}
    </main>
  );
}

interface GroupProps {
  readonly group: GlanceGroup;
  readonly shown: readonly ShownItem[];
  readonly layout: number;
  readonly post: (message: FromGlance) => void;
}

function Group({ group, shown, layout, post }: GroupProps): VNode | null {
  const own = shown.filter(({ item }) => item.group === group);
  return own.length === 0 ? null : (
    <section aria-labelledby={`glance-${group}`}>
      <h2 id={`glance-${group}`}>
        {headings[group]} <span class="glance-count">{own.length}</span>
      </h2>
      <ul>
        {own.map(({ item, isPast }) => (
          <GlanceRow key={item.key} item={item} isPast={isPast} layout={layout} post={post} />
        ))}
      </ul>
    </section>
  );
}

function Empty({ post }: Pick<GlanceProps, 'post'>): VNode {
  return (
    <div class="glance-empty">
      <p>
        {l10n.t(
          'Nothing needs you. Sessions that run, ask you something, are done or wait for review appear here.',
        )}
      </p>
      <button type="button" class="button" onClick={() => post({ type: 'newSession' })}>
        {l10n.t('New Session')}
      </button>
    </div>
  );
}

/** Increases whenever a row may have moved: then a click may be meant for what was there before. */
function useLayoutNumber(
  shown: readonly ShownItem[],
  same: readonly ShownSame[],
  away: GlanceAway | undefined,
): number {
  const last = useRef({ shape: '', count: 0 });
  const shape = [
    JSON.stringify(away?.counts),
    ...same.map((one) => getSameShape(one.same)),
    ...shown.map(({ item }) => getShape(item)),
  ].join('\n');
  if (shape !== last.current.shape) {
    last.current = { shape, count: last.current.count + 1 };
  }
  return last.current.count;
}

/** A row that moves loses the focus; this gives it back to the same control. */
function useFocusKept(): {
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onPointerDown: () => void;
} {
  const focused = useRef<HTMLElement | undefined>(undefined);
  useLayoutEffect(() => {
    const element = focused.current;
    if (element?.isConnected && document.activeElement === document.body && document.hasFocus()) {
      element.focus({ preventScroll: true });
    }
  });
  return {
    onFocusIn: ({ target }) => {
      focused.current = target instanceof HTMLElement ? target : undefined;
    },
    // With the pointer, the user may put the focus nowhere.
    onPointerDown: () => {
      focused.current = undefined;
    },
  };
}

/** Rows stay where they are for so long after the last move or key in them, in ms: a parked pointer holds nothing. */
const holdTime = 5_000;

/** Whether the user is about to do something in `element`, with the pointer or the keyboard. */
function useHold(element: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = (): void => {
      clearTimeout(timer);
      setHeld(false);
    };
    const hold = (): void => {
      clearTimeout(timer);
      timer = setTimeout(release, holdTime);
      setHeld(true);
    };
    watched.addEventListener('pointermove', hold);
    watched.addEventListener('pointerdown', hold);
    watched.addEventListener('keydown', hold);
    watched.addEventListener('pointerleave', release);
    window.addEventListener('blur', release);
    return () => {
      clearTimeout(timer);
      watched.removeEventListener('pointermove', hold);
      watched.removeEventListener('pointerdown', hold);
      watched.removeEventListener('keydown', hold);
      watched.removeEventListener('pointerleave', release);
      window.removeEventListener('blur', release);
    };
  }, [element]);
  return isHeld;
}
