import { holds, lookingEffort, textBefore } from '../../../../model/transcript/textBefore';
import type { Diff } from '../../../../shared/transcript/content';
import type { Evidence } from '../atWork/evidence';
import type { Span } from '../atWork/work';
import { absent, type FileState, isSameState } from '../record/fileState';
import type { Change, SessionRecord } from '../record/sessionRecord';
import { partsOfMove, type Share } from './attribution';

/** Maximum number of diffs, each of which is looked for in the whole text. */
const maxDiffs = 500;

/** The shares, with those taken apart in which other sessions that are at work may have a part. */
export async function withParts(
  record: SessionRecord,
  shares: readonly Share[],
  evidence: Evidence,
  span: Span,
): Promise<readonly Share[]> {
  const all: Share[] = [];
  for (const share of shares) {
    const { change } = share;
    const isShared =
      share.by === 'uncertain' ||
      (share.by === 'agent' && evidence.beside(change.file, span).length > 0);
    const made = partsOfMove(change).at(-1) ?? change;
    const diffs = isShared ? evidence.findDiffs(made, span) : undefined;
    all.push(...(diffs === undefined ? [share] : await explained(record, change, diffs)));
  }
  return all;
}

/**
 * A change in which others may have a part: what these diffs explain is the agent's, the rest is uncertain. The diffs are
 * in the order in which they were made.
 */
async function explained(
  { contents }: SessionRecord,
  change: Change,
  diffs: readonly Diff[],
): Promise<readonly Share[]> {
  const { file, before, after } = change;
  const all: readonly Share[] = [{ by: 'uncertain', change }];
  if (diffs.length > maxDiffs) {
    return all;
  }
  const [old, now] = await Promise.all([before, after].map((it) => contents.text(file, it)));
  if (old === undefined || typeof now !== 'string') {
    return all;
  }
  const news = diffs.filter((diff) => old === null || !isMade(old, diff));
  const [first] = news;
  if (first === undefined) {
    return all;
  }
  const getState = async (text: string | null): Promise<FileState> =>
    text === null ? absent : text === old ? before : contents.addText(file, text, after);
  const without = textBefore(now, news);
  // A new text that is the whole file replaces whatever was there.
  const isWhole = without === null || allReplaced(old, news) === now;
  const since = isWhole ? old : without;
  if (since !== undefined) {
    const state = await getState(since);
    return parts([
      { by: 'uncertain', change: { file, before, after: state } },
      { by: 'agent', change: { file, before: state, after } },
    ]);
  }
  const then = textAfter(old, news);
  if (then === undefined) {
    return all;
  }
  const made = await getState(then);
  if (old === null) {
    // What was added to a new file since.
    return holds(now, { ...first, newText: then })
      ? parts([
          { by: 'agent', change: { file, before, after: made } },
          { by: 'uncertain', change: { file, before: made, after } },
        ])
      : all;
  }
  const { state, conflicts } = await contents.merge(file, [made, after, before]);
  return conflicts > 0 || isSameState(state, after)
    ? all
    : parts([
        { by: 'uncertain', change: { file, before, after: state } },
        { by: 'agent', change: { file, before: state, after } },
      ]);
}

function parts(shares: readonly Share[]): readonly Share[] {
  return shares.filter(({ change: { before, after } }) => !isSameState(before, after));
}

/** Whether the text has this change already. */
function isMade(text: string, diff: Diff): boolean {
  const { oldText, newText } = diff;
  const hasOld = oldText !== null && text.includes(oldText);
  return newText === '' || oldText?.includes(newText) === true
    ? oldText !== null && !hasOld
    : holds(text, diff) && (!hasOld || newText.includes(oldText));
}

/** The text with these changes, each of which must be found in it. */
function textAfter(old: string | null, diffs: readonly Diff[]): string | undefined {
  const [first, ...rest] = diffs;
  const isMaking = first !== undefined && !first.oldText;
  const begun = isMaking && old === null ? first.newText : old;
  if (begun === null) {
    return undefined;
  }
  const left = isMaking && old === null ? rest : diffs;
  const swapped = left.map((diff) => ({
    ...diff,
    oldText: diff.newText,
    newText: diff.oldText ?? '',
  }));
  return textBefore(begun, swapped.reverse(), lookingEffort()) ?? undefined;
}

function allReplaced(old: string | null, diffs: readonly Diff[]): string | null {
  return diffs.reduce(
    (text, { oldText, newText }) =>
      text === null || !oldText ? text : text.replaceAll(oldText, () => newText),
    old,
  );
}
