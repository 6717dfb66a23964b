import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../../commands/session/commandServices';
import { composeIn, pickAgentBeside } from '../../../commands/session/compose';
import { unknownSession } from '../../../commands/session/sessionTarget';
import { isInside } from '../../../model/files/roots';
import { showInformationMessage } from '../../../platform/ui/messages';
import type { Attachment } from '../../../shared/transcript/prompt';
import { plainLabel } from '../../../views/plainLabel';
import { sessionFile, textOfFile } from '../../../views/sessionFiles';
import type { Admission } from '../../../views/transcript/tabs/admission';
import { fileName, getName, getTitle } from '../editors/pendingChanges';
import type { ReviewTarget } from '../editors/reviewEditors';
import { changesText, type NamedChange } from '../model/changesText';
import type { SessionReview, TurnFile } from '../model/review';

export interface AskForReviewServices extends CommandServices {
  readonly admission: Pick<Admission, 'find'>;
}

/** Maximum number of files that are looked at. */
const maxFiles = 500;

type Changed = Pick<TurnFile, 'file' | 'movedFrom' | 'kind' | 'form'>;

/**
 * "Ask Another Agent to Review…": puts the changes of a session that wait, or those of one turn, into the composer of a
 * new session of an agent that the user chooses, with a question. Sends nothing.
 */
export async function askForReview(
  services: AskForReviewServices,
  { reviews, turn }: ReviewTarget,
): Promise<void> {
  const review = await pickReview(services, reviews);
  if (review === undefined) {
    return;
  }
  const info = services.admission.find(review);
  if (info === undefined) {
    void showInformationMessage(unknownSession());
    return;
  }
  const files: readonly Changed[] =
    turn === undefined ? review.pending : await review.getFiles(turn, maxFiles);
  if (files.length === 0) {
    void showInformationMessage(
      turn === undefined
        ? l10n.t('No changes of this session wait for review.')
        : l10n.t('In the end, this turn left all files as they were.'),
    );
    return;
  }
  const agent = await pickAgentBeside(services.agents, review.agentId, {
    title: l10n.t('Ask Another Agent to Review'),
    placeHolder: l10n.t('Which agent? You send the question with the change yourself.'),
  });
  if (agent !== undefined) {
    const { cwd } = info;
    const attachments = [await toAttachment({ services, review, turn }, files, cwd)];
    const text = l10n.t(
      'Review this change. Name the file and the lines of each problem, such as `src/cart.ts:12-15`, and don’t change any file.',
    );
    await composeIn(services, agent, cwd, { text, attachments });
  }
}

async function pickReview(
  services: AskForReviewServices,
  reviews: readonly SessionReview[],
): Promise<SessionReview | undefined> {
  if (reviews.length < 2) {
    return reviews[0];
  }
  const items = reviews.map((review) => ({
    label: plainLabel(getTitle(review, services)),
    review,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Ask Another Agent to Review'),
    placeHolder: l10n.t('The changes of which session?'),
  });
  return picked?.review;
}

interface Asked {
  readonly services: AskForReviewServices;
  readonly review: SessionReview;
  readonly turn: number | undefined;
}

async function toAttachment(
  asked: Asked,
  files: readonly Changed[],
  cwd: string,
): Promise<Attachment> {
  const { services, review, turn } = asked;
  // The new session gets nothing from outside its folder.
  const inside = files.filter(({ file, movedFrom = file }) =>
    [file, movedFrom].every((each) => isInside(each, [cwd])),
  );
  const changes = inside.slice(0, maxFiles).map(
    (change): NamedChange => ({
      ...change,
      name: nameIn(cwd, change.file),
      ...(change.movedFrom !== undefined && { oldName: nameIn(cwd, change.movedFrom) }),
      read: () =>
        turn === undefined ? readPending(review, change, cwd) : readPast(review, change, turn),
    }),
  );
  const { text, leftOut } = await changesText(changes);
  const all = review.turns.find((one) => one.turn === turn)?.files.length ?? files.length;
  const unnamed = Math.max(all, files.length) - changes.length;
  const [only] = files;
  return {
    type: 'text',
    uri: 'acp-sessions:changes.diff',
    name:
      files.length === 1 && only !== undefined
        ? l10n.t('Change of {0}', fileName(only.file))
        : l10n.t('Changes of {0} files', all),
    text: unnamed > 0 ? `${text}\n${noteOf(unnamed)}\n` : text,
    detail: [
      getName(review, services),
      ...(leftOut + unnamed > 0
        ? [l10n.t('without the diffs of {0} files', leftOut + unnamed)]
        : []),
    ].join(', '),
  };
}

/** What an agent is told of files that aren't even named. */
function noteOf(unnamed: number): string {
  return `(Also changed, but outside of the session's folder or too many to list: ${unnamed})`;
}

async function readPending(review: SessionReview, { file, kind }: Changed, cwd: string) {
  const before = await review.baseline(file);
  const found = await sessionFile(file, { cwd, roots: [cwd] });
  const now = found.kind === 'there' ? await textOfFile(found.real) : undefined;
  return { before, after: kind === 'deleted' ? null : now };
}

async function readPast(review: SessionReview, { file }: Changed, turn: number) {
  const [before, after] = await Promise.all([
    review.findText(turn, file, 'before'),
    review.findText(turn, file, 'after'),
  ]);
  return { before, after };
}

function nameIn(cwd: string, file: string): string {
  return path.relative(cwd, file).split(path.sep).join('/');
}
