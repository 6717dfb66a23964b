import * as l10n from '@vscode/l10n';
import type { Log } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import type { Attention, Happening, HappeningSessions } from '../../views/attention/attention';
import type { TranscriptTabs } from '../../views/tabs/tabs';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { Away } from './away';
import type { ShownNotice } from './notices/systemNotices';
import type { NotificationsSettings } from './settings';

export interface NotificationServices {
  readonly sessions: HappeningSessions;
  readonly attention: Pick<Attention, 'isVisible'>;
  readonly tabs: Pick<TranscriptTabs, 'find'>;
  readonly panels: Pick<TranscriptPanels, 'find'>;
  readonly settings: Pick<NotificationsSettings, 'notifications'>;
  /** VS Code's own notification. Resolves when it is gone; whether the user wants to see the session. */
  readonly notify: (kind: Happening['kind'], text: string) => Promise<boolean>;
  /** Whether the user looks at another window, and wants to be reached there. */
  readonly isAway: () => boolean;
  readonly away: Pick<Away, 'reach'>;
  readonly show: (session: Session) => void;
  readonly log: Log;
}

/** Notifies the user of session events; never shows two notifications for the same event at a time. */
export class Notifications implements Disposable {
  readonly #services: NotificationServices;
  readonly #store = new DisposableStore();
  /** The kinds of event with a notification on screen, by session. */
  readonly #shown = new Map<Session, Set<Happening['kind']>>();

  constructor(services: NotificationServices) {
    this.#services = services;
    this.#store.add(
      services.sessions.onDidHappen((happening) => {
        void this.#tell(happening);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #tell({ session, kind }: Happening): Promise<void> {
    const { settings, show } = this.#services;
    const shown = this.#shown.get(session) ?? new Set();
    if (settings.notifications === 'never' || shown.has(kind)) {
      return;
    }
    this.#shown.set(session, shown.add(kind));
    const isWanted = await this.#ask(session, kind);
    shown.delete(kind);
    if (shown.size === 0) {
      this.#shown.delete(session);
    }
    if (isWanted) {
      show(session);
    }
  }

  /** Resolves when the notification is gone; whether the user wants to see the session. */
  async #ask(session: Session, kind: Happening['kind']): Promise<boolean> {
    const { settings, notify } = this.#services;
    const text = getText(kind, session);
    const reached = await this.#reach(kind, text);
    if (reached !== undefined) {
      return reached.clicked;
    }
    const isHidden = settings.notifications === 'always' || !this.#canBeSeen(session);
    return isHidden && notify(kind, text);
  }

  /** A tab that VS Code shows already may not have its page yet. */
  #canBeSeen(session: Session): boolean {
    const { attention, tabs, panels } = this.#services;
    const { agent, info } = session;
    return panels.find(agent.id, info.sessionId) === undefined
      ? tabs.find(agent.id, info.sessionId)?.isActive === true
      : attention.isVisible(session);
  }

  /** `undefined` if the user isn't away, or couldn't be reached. */
  async #reach(kind: Happening['kind'], text: string): Promise<ShownNotice | undefined> {
    const { isAway, away, log } = this.#services;
    if (!isAway()) {
      return undefined;
    }
    try {
      return await away.reach(kind, text);
    } catch (error) {
      log.warn(getStack(error));
      return undefined;
    }
  }
}

function getText(kind: Happening['kind'], session: Session): string {
  const title = `“${cleanText(session.title, 60)}”`;
  const agent = cleanText(session.agent.title, 40);
  switch (kind) {
    case 'turnEnded':
      return l10n.t('{0} has finished in {1}.', agent, title);
    case 'needsAnswer':
      return l10n.t('{0} needs your answer in {1}.', agent, title);
    case 'failed':
      return l10n.t('{0} has failed in {1}.', agent, title);
  }
}
