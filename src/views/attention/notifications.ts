import * as l10n from '@vscode/l10n';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Attention, HappeningSessions } from './attention';

type Happening = Parameters<Parameters<HappeningSessions['onDidHappen']>[0]>[0];

export interface NotificationServices {
  readonly sessions: HappeningSessions;
  readonly attention: Pick<Attention, 'isVisible'>;
  readonly settings: { readonly notifications: 'never' | 'whenHidden' | 'always' };
  readonly show: (session: Session) => void;
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
    const { attention, settings, show } = this.#services;
    const isWanted =
      settings.notifications === 'always' ||
      (settings.notifications === 'whenHidden' && !attention.isVisible(session));
    const shown = this.#shown.get(session) ?? new Set();
    if (!isWanted || shown.has(kind)) {
      return;
    }
    this.#shown.set(session, shown.add(kind));
    const answer = await showMessage(kind, session);
    shown.delete(kind);
    if (shown.size === 0) {
      this.#shown.delete(session);
    }
    if (answer !== undefined) {
      show(session);
    }
  }
}

function showMessage(kind: Happening['kind'], session: Session): Thenable<string | undefined> {
  const title = `“${cleanText(session.title, 60)}”`;
  const agent = cleanText(session.agent.title, 40);
  switch (kind) {
    case 'turnEnded':
      return showInformationMessage(
        l10n.t('{0} has finished in {1}.', agent, title),
        l10n.t('Show'),
      );
    case 'needsAnswer':
      return showWarningMessage(
        l10n.t('{0} needs your answer in {1}.', agent, title),
        l10n.t('Show'),
      );
    case 'failed':
      return showErrorMessage(l10n.t('{0} has failed in {1}.', agent, title), l10n.t('Show'));
  }
}
