import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Where an agent is shared. */
export interface Place {
  readonly host: string;
  readonly isLoopback: boolean;
}

/** Asks at which address of this machine; loopback comes first. */
export async function askWhere(agent: string): Promise<Place | undefined> {
  const here = {
    label: l10n.t('This Machine Only'),
    description: '127.0.0.1',
    detail: l10n.t(
      'Programs of this machine, and others through an SSH tunnel or a forwarded port, which are encrypted.',
    ),
    place: { host: '127.0.0.1', isLoopback: true },
  };
  const others = addresses().map(({ name, address }) => ({
    label: `$(warning) ${l10n.t('Network at {0}', name)}`,
    description: address,
    detail: l10n.t(
      'Not encrypted: others in this network could read and change everything, the token, too.',
    ),
    place: { host: address, isLoopback: false },
  }));
  const picked = await vscode.window.showQuickPick([here, ...others], {
    title: l10n.t('Share {0}: Who Can Reach It?', agent),
  });
  return picked?.place;
}

/** Those of this machine in a network. Link-local ones have a zone, which no address of ours can have. */
function addresses(): readonly { readonly name: string; readonly address: string }[] {
  return Object.entries(os.networkInterfaces()).flatMap(([name, all = []]) =>
    all
      .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      .map(({ address }) => ({ name, address })),
  );
}
