import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../model/text/titles';
import { language } from '../../shared/language';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { sharingCommandIds } from './commandIds';
import type { ConnectedClient, SharedAgent } from './sharedAgent';

const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });

/** The item in the status bar for an agent that is shared: who is connected, and what can be done. */
export class SharingStatus implements Disposable {
  readonly #store = new DisposableStore();

  constructor(shared: SharedAgent) {
    const { agent } = shared;
    const title = getTitle(shared);
    const item = this.#store.add(
      vscode.window.createStatusBarItem(`sharing ${agent.id}`, vscode.StatusBarAlignment.Left),
    );
    item.name = l10n.t('Sharing {0}', title);
    item.command = {
      title: l10n.t('Share Agent'),
      command: sharingCommandIds.shareAgent,
      arguments: [agent.id],
    };
    const show = (): void => {
      const { clients, url } = shared;
      const connected = l10n.t('{0} connected', clients.length);
      // An agent's name must not become an icon.
      item.text = `$(broadcast) ${title.replaceAll('$(', '$ (')}: ${connected}`;
      item.tooltip = [
        l10n.t('{0} is shared at {1}. Click for what can be done.', title, url.href),
        ...clients.map(clientWords),
      ].join('\n');
      item.accessibilityInformation = {
        label: l10n.t('{0} is shared, {1}', title, connected),
        role: 'button',
      };
    };
    this.#store.add(shared.onDidChange(show));
    show();
    item.show();
  }

  dispose(): void {
    this.#store.dispose();
  }
}

export function getTitle({ agent }: SharedAgent): string {
  return cleanText(agent.title, 60);
}

/** Words for a client: from where it is connected, and since when. */
export function clientWords({ peer, since }: ConnectedClient): string {
  return l10n.t('{0}, since {1}', peer, time.format(since));
}
