import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Event } from '../../util/emitter';
import type { Happening } from '../../views/attention/attention';
import type { TonePages } from '../../views/attention/tonePages';
import { type ShownNotice, SystemNotices } from './notices/systemNotices';
import type { NotificationsSettings } from './settings';

export interface AwayServices {
  readonly settings: Pick<NotificationsSettings, 'systemNotifications' | 'notificationSound'>;
  readonly tonePages: Pick<TonePages, 'play'>;
  /** Whether this code runs on the machine that the user sits at. */
  readonly isUsersMachine: boolean;
  readonly onDidChangeWindowState: Event<{ readonly focused: boolean }>;
}

/** Reaches a user who looks at another window, by a sound and a notice of the operating system. */
export class Away implements Disposable {
  readonly #services: AwayServices;
  readonly #store = new DisposableStore();
  readonly #notices: SystemNotices;

  constructor(
    services: AwayServices,
    notices = new SystemNotices({ platform: process.platform, environment: process.env }),
  ) {
    this.#services = services;
    this.#notices = this.#store.add(notices);
    this.#store.add(
      services.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          notices.withdraw();
        }
      }),
    );
  }

  /** `undefined` if no notice could be shown. */
  async reach(kind: Happening['kind'], text: string): Promise<ShownNotice | undefined> {
    const { settings, tonePages, isUsersMachine } = this.#services;
    if (settings.notificationSound) {
      tonePages.play(kind === 'needsAnswer' ? kind : 'ended');
    }
    if (!settings.systemNotifications || !isUsersMachine) {
      return undefined;
    }
    return this.#notices.show(kind, { title: 'ACP Sessions', text, action: l10n.t('Show') });
  }

  dispose(): void {
    this.#store.dispose();
  }
}
