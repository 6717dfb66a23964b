import * as l10n from '@vscode/l10n';
import { shared } from '../../util/async';
import { isLoopback } from '../settings/remoteSettings';
import type { Consents } from '../storage/consents';
import { showWarningMessage } from '../ui/messages';

const agreed = 'connect';
const asking = new Map<string, Promise<boolean>>();

/**
 * Whether the user has agreed that sessions go over the network to this address. Asked once for each address; nothing
 * is asked about this machine itself.
 */
export async function mayConnect(url: URL, consents: Consents): Promise<boolean> {
  const address = `${url.protocol}//${url.host}`;
  if (isLoopback(url) || (await consents.get(address)) === agreed) {
    return true;
  }
  return shared(asking, address, async () => {
    const isAgreed = await ask(address);
    if (isAgreed) {
      await consents.set(address, agreed);
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
