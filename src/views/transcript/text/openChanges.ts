import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type NamedSession, sessionName, sessionTitle } from '../../../model/agents/whose';
import type { ProvidedReviews } from '../../../model/changes/providedReviews';
import type { KnownReview } from '../../../model/changes/reviews';
import { unreviewedChanges } from '../../../model/changes/unreviewedChanges';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import { lineOfLast, lookingEffort, textBefore } from '../../../model/transcript/textBefore';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { openFile, type PathContext } from '../../../platform/openers';
import { showInformationMessage } from '../../../platform/ui/messages';
import { literalLine } from '../../../shared/literal';
import type { Effort } from '../../../util/effort';
import { type SessionFile, sessionFile, textOfFile } from '../../sessionFiles';
import { openDiff } from './openParts';

type RecordedChange = Session['changes']['files'][number];

/** A session with its changes. */
type ChangingSession = NamedSession & Parameters<typeof unreviewedChanges>[0];

interface ChangeServices {
  readonly documents: ReadOnlyDocuments;
  readonly reviews: Pick<ProvidedReviews, 'actions'>;
}

/** Maximum number of files to open at once. */
const maxFiles = 200;

/** The URIs to show for a change: `before` on the left, `now` on the right. */
interface Sides {
  readonly file: vscode.Uri;
  readonly before: vscode.Uri;
  readonly now: vscode.Uri;
}

/**
 * Opens all changes of a session in one editor: those that wait for review, to be decided about there if there are no
 * others, and those of turns that aren't recorded, where the original text is known.
 */
export async function openAllChanges(
  { documents, reviews }: ChangeServices,
  session: ChangingSession,
  review: KnownReview | undefined,
  context: PathContext,
): Promise<void> {
  const changes = unreviewedChanges(session, review);
  const pending = review?.pending ?? [];
  const actions = pending.length > 0 ? await reviews.actions() : undefined;
  if (review !== undefined && pending.length > 0 && changes.length === 0) {
    await actions?.show(review);
    return;
  }
  if (changes.length === 0) {
    void showInformationMessage(
      review === undefined || review.turns.length === 0
        ? l10n.t('{0} has changed no files yet.', sessionName(session))
        : l10n.t('No changes of this session wait for review.'),
    );
    return;
  }
  const compared = (review && actions?.compared(review)) ?? [];
  const recorded = compared
    .slice(0, maxFiles)
    .map(({ file, before, now }) => [vscode.Uri.file(file), findUri(before), findUri(now)]);
  const shown = changes.slice(0, maxFiles - recorded.length);
  const effort = lookingEffort();
  const sides: Sides[] = [];
  // One at a time: reading all files at once would hold them in memory together.
  for (const change of shown) {
    const known = findSides(documents, change, await look(change, context), effort);
    sides.push(...(known ? [known] : []));
  }
  if (sides.length < shown.length) {
    sayLeftOut(shown.length - sides.length, shown.length, session.agent.title);
  }
  const count = recorded.length + sides.length;
  const all = pending.length + changes.length;
  if (count === 0) {
    return;
  }
  const title = sessionTitle(session);
  const name =
    count < all
      ? l10n.t('Changes: {0} ({1} of {2} files)', title, count, all)
      : l10n.t('Changes: {0}', title);
  await vscode.commands.executeCommand('vscode.changes', name, [
    ...recorded,
    ...sides.map(({ file, before, now }) => [file, before, now]),
  ]);
}

function findUri(text: string | undefined): vscode.Uri | undefined {
  return text === undefined ? undefined : vscode.Uri.parse(text, true);
}

function sayLeftOut(count: number, all: number, agentTitle: string): void {
  const agent = cleanText(agentTitle, 60);
  void showInformationMessage(
    count === all
      ? l10n.t(
          '{0} didn’t report enough to tell what the changed files contained before the session. Open them one by one in the list of changed files.',
          agent,
        )
      : l10n.t(
          'Files that are left out: {0} of {1}. {2} didn’t report enough to tell what they contained before the session. Open them one by one in the list of changed files.',
          count,
          all,
          agent,
        ),
  );
}

/** Opens a session's change of one file: as a diff with the current file if the original text is known. */
export async function openChange(
  documents: ReadOnlyDocuments,
  change: RecordedChange,
  agentTitle: string,
  context: PathContext,
): Promise<void> {
  const seen = await look(change, context);
  const effort = lookingEffort();
  const name = path.basename(change.path);
  const sides = findSides(documents, change, seen, effort);
  const last = change.edits.at(-1);
  if (sides !== undefined) {
    const title = l10n.t('{0} (before the session ↔ now)', name);
    await vscode.commands.executeCommand('vscode.diff', sides.before, sides.now, title);
  } else if (seen.found.kind === 'there') {
    const line = lineOfLast(seen.text ?? '', change.edits, effort);
    if (await openFile(seen.found.path, line, context)) {
      void showInformationMessage(
        l10n.t(
          '{1} didn’t report enough to tell what {0} contained before the session. The file is shown as it is.',
          literalLine(name),
          cleanText(agentTitle, 60),
        ),
      );
    }
  } else if (last !== undefined) {
    // There is no file to show, or it isn't the session's: show the last recorded edit.
    await openDiff(documents, last, context);
  } else {
    void showInformationMessage(
      l10n.t(
        '{1} didn’t report what {0} contained, and the file isn’t there any more.',
        literalLine(name),
        cleanText(agentTitle, 60),
      ),
    );
  }
}

/** A file and, if it can be compared, its text. */
interface Seen {
  readonly found: SessionFile;
  readonly text: string | undefined;
}

async function look({ path: file }: RecordedChange, context: PathContext): Promise<Seen> {
  const found = await sessionFile(file, context);
  switch (found.kind) {
    case 'there':
      return { found, text: await textOfFile(found.real) };
    case 'missing':
      return { found, text: '' };
    case 'outside':
      return { found, text: undefined };
  }
}

/** `undefined` if the original text can't be determined; nothing else is shown in its place. */
function findSides(
  documents: ReadOnlyDocuments,
  { path: file, edits }: RecordedChange,
  { found, text }: Seen,
  effort: Effort,
): Sides | undefined {
  // Without any edits, the text that is there now says nothing of the one before.
  const isKnown = text !== undefined && edits.length > 0;
  const before = isKnown ? textBefore(text, edits, effort) : undefined;
  if (before === undefined) {
    return undefined;
  }
  if (found.kind === 'there') {
    const uri = vscode.Uri.file(found.path);
    return { file: uri, before: documents.addState(uri, before ?? '', 'before'), now: uri };
  }
  const name = path.basename(file);
  const left = documents.add(name, before ?? '');
  return { file: left, before: left, now: documents.add(name, '') };
}
