import type { Disposable } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { dayAndTime } from '../../dates';
import type { TranscriptTabs } from '../../tabs/tabs';

interface NamedTab {
  readonly name: string;
  /** What is added if another tab of the agent has the same name: when the session was last active before it was opened here. */
  readonly time: string | undefined;
}

interface NamedSession {
  readonly agent: { readonly id: string; readonly title: string };
  readonly info: { readonly sessionId: string; readonly updatedAt?: string };
}

/**
 * The names of tabs. Those of the same name have the title of their agent in addition, or a time if their agent is the
 * same. VS Code itself tells them apart by the folders of their URIs, of which a session that began in a tab has none.
 */
export class SameNames implements Disposable {
  readonly #tabs = new Map<NamedSession, NamedTab>();
  /** Tabs that haven't been looked at have a name of VS Code's. */
  readonly #all: Pick<TranscriptTabs, 'all' | 'onDidChange'>;
  readonly #listening: Disposable;
  readonly #changed = new Emitter<void>();
  /** A tab was added, renamed or closed. */
  readonly onDidChange = this.#changed.event;

  constructor(all: Pick<TranscriptTabs, 'all' | 'onDidChange'>) {
    this.#all = all;
    this.#listening = all.onDidChange(() => this.#changed.fire());
  }

  /** Notes what a tab is called. */
  set(session: NamedSession, name: string): void {
    const known = this.#tabs.get(session);
    if (known?.name === name) {
      return;
    }
    const time = Date.parse(session.info.updatedAt ?? '');
    const added = { name, time: Number.isNaN(time) ? undefined : dayAndTime(time) };
    this.#tabs.set(session, known ? { ...known, name } : added);
    this.#changed.fire();
  }

  /** The tab is closed. */
  delete(session: NamedSession): void {
    if (this.#tabs.delete(session)) {
      this.#changed.fire();
    }
  }

  /** What VS Code is to show on the tab. */
  shown(session: NamedSession): string {
    const own = this.#tabs.get(session);
    const { name = '', time } = own ?? {};
    const { id, title } = session.agent;
    const others = [
      ...[...this.#tabs].flatMap(([other, tab]) =>
        other !== session && tab.name === name ? [other.agent.id] : [],
      ),
      ...this.#all.all.flatMap(({ agentId, sessionId, label }) =>
        label === name && (agentId !== id || sessionId !== session.info.sessionId) ? [agentId] : [],
      ),
    ];
    const added = [
      others.some((other) => other !== id) && title,
      others.includes(id) && time,
    ].filter(Boolean);
    return [name, ...added].join(' · ');
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}
