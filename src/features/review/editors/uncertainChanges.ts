import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../../model/text/titles';
import type { SessionRef } from '../../../shared/sessionRef';
import type { SessionReview, UncertainFile } from '../model/review';
import { certainUri, emptyUri } from './baselineDocuments';
import { fileName, type Naming } from './pendingChanges';

/** A file of a session with changes that may be another one's. */
export interface Uncertain {
  readonly review: SessionReview;
  readonly file: UncertainFile;
}

/** Who was at work, too: "Codex", or for a session of the same agent its title. */
export function besideNames(
  { agentId }: Pick<SessionReview, 'agentId'>,
  beside: readonly SessionRef[],
  { agents, sessions }: Naming,
): string {
  const names = beside.map((other) => {
    const title =
      other.agentId === agentId ? sessions.find(agentId, other.sessionId)?.title : undefined;
    return title === undefined
      ? cleanText(agents.get(other.agentId)?.title ?? other.agentId, 60)
      : l10n.t('“{0}”', cleanText(title, 60));
  });
  return [...new Set(names)].join(', ');
}

export function uncertainText({ review, file }: Uncertain, naming: Naming): string {
  return l10n.t(
    'Changed while other sessions were at work, too: {0}',
    besideNames(review, file.beside, naming),
  );
}

/** The two sides of such a change; the right one is the file itself, unless it was deleted. */
export function uncertainSides({ review, file: { file, kind } }: Uncertain): {
  readonly before: vscode.Uri;
  readonly now: vscode.Uri;
} {
  return {
    before: kind === 'added' ? emptyUri(file) : certainUri(review, file),
    now: kind === 'deleted' ? emptyUri(file) : vscode.Uri.file(file),
  };
}

/** The command that shows such a change; what isn't text is opened as it is. */
export function showUncertain(uncertain: Uncertain): vscode.Command {
  const { file, form } = uncertain.file;
  if (form !== 'text') {
    return { title: '', command: 'vscode.open', arguments: [vscode.Uri.file(file)] };
  }
  const { before, now } = uncertainSides(uncertain);
  const title = l10n.t('{0} (Changed by Several)', fileName(file));
  return { title: '', command: 'vscode.diff', arguments: [before, now, title, { preview: true }] };
}
