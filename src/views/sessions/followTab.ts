import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';

/** The transcript tabs, as far as the view follows them. */
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

/** A view that can select a session's row. */
export interface FollowingView {
  /** The rows may have changed, or the view became visible. */
  readonly onDidShowRows: Event<void>;
  /** Selects the session's row without taking the focus; `false` if it has no row that can be shown. */
  selectSession(agentId: string, sessionId: string): boolean;
}

/**
 * Selects the session of the active tab, as the Explorer does with files, once each time that a tab becomes
 * active. Waits for a missing row: a new session's row appears after its tab.
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
