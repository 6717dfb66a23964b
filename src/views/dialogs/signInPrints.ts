import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { readPrintedLine } from '../../model/agents/printedLine';
import { cleanText } from '../../model/text/titles';
import { openInBrowser } from '../../platform/openers';
import { readLink } from '../../platform/ui/links';
import { plainMessage, showInformationMessage } from '../../platform/ui/messages';
import type { Disposable } from '../../util/disposable';

type Connection = Pick<Awaited<ReturnType<Agent['connect']>>, 'onPrint'>;
/** The progress of a login; VS Code shows the message after the title. */
export type Progress = vscode.Progress<{ readonly message?: string }>;

/** Maximum number of printed addresses offered during a login, each once. */
const mostAddresses = 3;
/**
 * The limit of DNS, in characters. Longer hosts aren't offered: cutting one would remove its
 * significant end.
 */
const longestHost = 253;

/**
 * Shows what an agent prints during a sign-in: its last line in the progress notification, and each address in a
 * message with a button, because VS Code's progress has no room for one.
 */
export function showPrints(agent: Agent, connection: Connection, progress: Progress): Disposable {
  let last = '';
  const offered = new Set<string>();
  return connection.onPrint((line) => {
    const { words, address } = readPrintedLine(line);
    if (words !== '' && words !== last) {
      last = words;
      progress.report({ message: plainMessage(words) });
    }
    const link = address === undefined ? undefined : readLink(address, '/');
    if (link?.kind === 'external' && !offered.has(link.url) && offered.size < mostAddresses) {
      offered.add(link.url);
      void offer(agent, new URL(link.url));
    }
  });
}

async function offer(agent: Agent, { href, host }: URL): Promise<void> {
  if (host.length > longestHost) {
    return;
  }
  const title = cleanText(agent.title, 60);
  const answer = await showInformationMessage(
    l10n.t('{0} printed a sign-in link to {1}.', title, host),
    l10n.t('Open…'),
  );
  if (answer !== undefined) {
    await openInBrowser(href);
  }
}
