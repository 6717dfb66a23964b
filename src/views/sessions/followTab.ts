import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';

/** The tabs with transcripts, as far as the view follows them. */
export interface Tabs {
  readonly active:
    | {
        readonly session: {
          readonly agent: { readonly id: string };
          readonly info: { readonly sessionId: string };
        };
      }
    | undefined;
  readonly onDidChangeActive: Event<void>;
}

/** A view that can select the row of a session. */
export interface FollowingView {
  /** Rows may be there now that weren't, or the view shows. */
  readonly onDidShowRows: Event<void>;
  /** Selects the session's row without taking the focus; `false` when it has none that could be shown. */
  selectSession(agentId: string, sessionId: string): boolean;
}

/**
 * Selects the session whose tab shows, as the explorer does with files: once for each time that a tab comes to the
 * front. Without a row it waits for one: a new session's comes later than its tab.
 */
export function followTab(
  view: FollowingView,
  tabs: Tabs,
  settings: { readonly autoReveal: boolean },
): Disposable {
  const store = new DisposableStore();
  let last: Tabs['active'];
  let isDue = false;
  const select = (): void => {
    if (isDue && last !== undefined && settings.autoReveal) {
      const { agent, info } = last.session;
      isDue = !view.selectSession(agent.id, info.sessionId);
    }
  };
  const look = (): void => {
    const { active } = tabs;
    if (active !== last) {
      last = active;
      isDue = active !== undefined;
      select();
    }
  };
  store.add(tabs.onDidChangeActive(look));
  store.add(view.onDidShowRows(select));
  look();
  return store;
}
