import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTarget } from '../../../commands/session/sessionTarget';
import { unreviewedChanges } from '../../../model/changes/unreviewedChanges';
import { comparablePath } from '../../../model/files/paths';
import { literalLine } from '../../../shared/literal';
import { leftSentences } from '../applying/leftTexts';
import type { Uncommitted } from '../model/movedChanges';
import type { WorktreeChange } from '../model/worktreeChanges';
import type { WorktreeServices } from '../worktreeServices';

const maxRows = 5_000;

type Row = vscode.QuickPickItem & { readonly change?: WorktreeChange };

/** The files that a session has changed, as far as that is recorded or it has said so: comparable absolute paths. */
export function ownFiles(
  { reviews, sessions }: Pick<WorktreeServices, 'reviews' | 'sessions'>,
  { agent, info }: CommandTarget,
): ReadonlySet<string> {
  const review = reviews.of(agent.id, info.sessionId);
  const session = sessions.find(agent.id, info.sessionId);
  const pending = review?.pending ?? [];
  const turns = (review?.turns ?? []).filter(({ state }) => state !== 'undone');
  const reported = session === undefined ? [] : unreviewedChanges(session, review);
  const all = [
    ...pending.flatMap(({ file, movedFrom }) => [file, ...(movedFrom ? [movedFrom] : [])]),
    ...turns.flatMap(({ files }) => files),
    ...reported.map((change) => path.resolve(info.cwd, change.path)),
  ];
  return new Set(all.map(comparablePath));
}

/** Asks which changes are moved; the session's own are checked. `undefined`: the user cancels. */
export async function pickChanges(
  { changes, left }: Uncommitted,
  own: ReadonlySet<string>,
  top: string,
): Promise<readonly WorktreeChange[] | undefined> {
  const isOwn = ({ name }: WorktreeChange): boolean =>
    own.has(comparablePath(path.join(top, name)));
  const [mine, others] = [changes.filter(isOwn), changes.filter((change) => !isOwn(change))];
  const placeHolder = l10n.t('Which uncommitted changes? All that a file has goes with it.');
  const picked = await vscode.window.showQuickPick<Row>(
    [
      ...part(l10n.t('Changed by this session'), mine, true),
      ...part(l10n.t('Other uncommitted changes'), others, false),
    ],
    {
      title: l10n.t('Move Changes to Worktree'),
      placeHolder: [placeHolder, ...leftSentences(left)].join(' '),
      canPickMany: true,
      ignoreFocusOut: true,
      matchOnDescription: true,
    },
  );
  return picked?.flatMap(({ change }) => change ?? []);
}

function part(title: string, changes: readonly WorktreeChange[], isPicked: boolean): Row[] {
  if (changes.length === 0) {
    return [];
  }
  const more = changes.length - maxRows;
  const heading = more > 0 ? `${title} ${l10n.t('and {0} more', more)}` : title;
  return [
    { label: heading, kind: vscode.QuickPickItemKind.Separator },
    ...changes.slice(0, maxRows).map((change) => ({
      label: literalLine(path.posix.basename(change.name)),
      description: literalLine(path.posix.dirname(change.name)).replace(/^\.$/, ''),
      picked: isPicked,
      change,
    })),
  ];
}
