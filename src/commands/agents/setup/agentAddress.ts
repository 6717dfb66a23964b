import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { EntryProblem } from '../../../platform/settings/entryChecks';
import { checkedUrl } from '../../../platform/settings/remoteSettings';
import type { AgentEntry } from '../../../platform/settings/settings';

/** Asks for the address and the title of an agent on another machine. Nothing is connected yet. */
export async function askForAddress(
  insecureHosts: readonly string[],
): Promise<AgentEntry | undefined> {
  const text = await vscode.window.showInputBox({
    title: l10n.t('Add Agent by Address (1 of 2)'),
    prompt: l10n.t(
      'Where its server is: wss: for a WebSocket, https: for streamable HTTP, tcp: for a plain socket',
    ),
    placeHolder: 'wss://build.example/acp',
    ignoreFocusOut: true,
    validateInput: (value) => problemOf(value, insecureHosts),
  });
  if (text === undefined) {
    return undefined;
  }
  const url = checkedUrl(text.trim(), insecureHosts);
  const title = await vscode.window.showInputBox({
    title: l10n.t('Add Agent by Address (2 of 2)'),
    prompt: l10n.t('What the agent is called in the view'),
    value: new URL(url).hostname,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? l10n.t('Enter a title.') : undefined),
  });
  return title === undefined ? undefined : { title: title.trim(), url };
}

function problemOf(text: string, insecureHosts: readonly string[]): string | undefined {
  try {
    checkedUrl(text.trim(), insecureHosts);
    return undefined;
  } catch (error) {
    return error instanceof EntryProblem ? error.message : String(error);
  }
}
