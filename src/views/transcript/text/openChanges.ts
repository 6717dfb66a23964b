import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type NamedSession, sessionName, sessionTitle } from '../../../model/agents/whose';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import { lineOfLast, lookingEffort, textBefore } from '../../../model/transcript/textBefore';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { showInformationMessage } from '../../../platform/ui/messages';
import { openFile, type PathContext } from '../../../platform/ui/openers';
import { literalLine } from '../../../shared/literal';
import type { Effort } from '../../../util/effort';
import { openDiff } from './openParts';
import { type SessionFile, sessionFile, textOfFile } from './sessionFiles';

type RecordedChange = Session['changes']['files'][number];

/** A session with its changes. */
interface ChangingSession extends NamedSession {
  readonly changes: Pick<Session['changes'], 'files'>;
}

/** Maximum number of files to open at once. */
const maxFiles = 200;

/** The URIs to show for a change: `before` on the left, `now` on the right. */
interface Sides {
  readonly file: vscode.Uri;
  readonly before: vscode.Uri;
  readonly now: vscode.Uri;
}

/** Opens all changes of a session in VS Code's multi diff editor, where the original text is known. */
export async function openChanges(
  documents: ReadOnlyDocuments,
  session: ChangingSession,
  context: PathContext,
): Promise<void> {
  const changes = session.changes.files;
  if (changes.length === 0) {
    void showInformationMessage(l10n.t('{0} has changed no files yet.', sessionName(session)));
    return;
  }
  const shown = changes.slice(0, maxFiles);
  const effort = lookingEffort();
  const sides: Sides[] = [];
  // One at a time: reading all files at once would hold them in memory together.
  for (const change of shown) {
    const known = sidesOf(documents, change, await look(change, context), effort);
    sides.push(...(known ? [known] : []));
  }
  if (sides.length < shown.length) {
    sayLeftOut(shown.length - sides.length, shown.length, session.agent.title);
  }
  if (sides.length === 0) {
    return;
  }
  const title = sessionTitle(session);
  const name =
    sides.length < changes.length
      ? l10n.t('Changes: {0} ({1} of {2} files)', title, sides.length, changes.length)
      : l10n.t('Changes: {0}', title);
  await vscode.commands.executeCommand(
    'vscode.changes',
    name,
    sides.map(({ file, before, now }) => [file, before, now]),
  );
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
  const sides = sidesOf(documents, change, seen, effort);
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
function sidesOf(
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
    return { file: uri, before: documents.addStateOf(uri, before ?? ''), now: uri };
  }
  const name = path.basename(file);
  const left = documents.add(name, before ?? '');
  return { file: left, before: left, now: documents.add(name, '') };
}
