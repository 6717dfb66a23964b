import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { shared } from '../../util/async';
import { isLoopback } from '../settings/remoteSettings';
import { StoredMap, storedState } from '../storage/storedState';
import { showWarningMessage } from '../ui/messages';

const asking = new Map<string, Promise<boolean>>();

/**
 * Whether the user has agreed that sessions go over the network to this address. Asked once for each address; nothing
 * is asked about this machine itself.
 */
export function mayConnect(
  url: URL,
  memento: Pick<vscode.Memento, 'get' | 'update'>,
): Promise<boolean> {
  const address = `${url.protocol}//${url.host}`;
  const agreed = new StoredMap(memento, storedState.remoteConsents);
  return isLoopback(url) || agreed.get(address) === true
    ? Promise.resolve(true)
    : shared(asking, address, async () => {
        const isAgreed = await ask(address);
        if (isAgreed) {
          agreed.set(address, true);
        }
        return isAgreed;
      });
}

async function ask(address: string): Promise<boolean> {
  const connect = l10n.t('Connect');
  const answer = await showWarningMessage(
    l10n.t('Connect to the agent at {0}?', address),
    {
      modal: true,
      detail: l10n.t(
        'What you write to it and attach is sent to that machine, and what it answers is shown here. It works with the files and commands there; files and terminals of this machine are not offered to it. Connect only to a machine that you trust with your conversations.',
      ),
    },
    connect,
  );
  return answer === connect;
}
