import type { Disposable } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { dayAndTime } from '../../dates';

interface NamedTab {
  readonly name: string;
  /** What is added if another tab has the same name: when the session was last active before it was opened here. */
  readonly time: string | undefined;
}

interface NamedSession {
  readonly agent: { readonly id: string };
  readonly info: { readonly updatedAt?: string };
}

/**
 * The names of tabs. VS Code itself tells tabs of the same name apart by their agents; two of one agent have a time in
 * addition.
 */
export class SameNames implements Disposable {
  readonly #tabs = new Map<NamedSession, NamedTab>();
  readonly #changed = new Emitter<void>();
  /** A tab was added, renamed or closed. */
  readonly onDidChange = this.#changed.event;

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
    const others = [...this.#tabs].filter(
      ([other, { name }]) =>
        other !== session && name === own?.name && other.agent.id === session.agent.id,
    );
    const { name = '', time } = own ?? {};
    return others.length > 0 && time !== undefined ? `${name} · ${time}` : name;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
