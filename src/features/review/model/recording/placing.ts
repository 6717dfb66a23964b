import { lookingEffort, textBefore } from '../../../../model/transcript/textBefore';
import type { Diff, FileChange } from '../../../../shared/transcript/content';
import type { Effort } from '../../../../util/effort';
import { computeHash } from '../record/contents';
import { absent, type FileState } from '../record/fileState';
import type { Change, SessionRecord } from '../record/sessionRecord';
import type { FileNow, ReviewFiles } from '../reviewFiles';

/** What an agent says that it did to a file. */
export type Report = Diff | FileChange;

/** What a file was before is known only to the agent. */
const unknown: FileState = { kind: 'unkept', reason: 'unreadable' };

/** A file, with what was reported of it. */
interface Reported {
  readonly file: string;
  readonly now: FileNow;
  readonly diffs: readonly Diff[];
  /** The last of what its lines don't tell. */
  readonly change: FileChange | undefined;
  readonly seen: FileState | undefined;
  readonly effort: Effort;
}

/**
 * The changes that an agent reports, found in the files as they are now. What isn't found without
 * doubt is left out: it is a quotation, and no change of the file.
 */
export async function placeReports(
  record: SessionRecord,
  files: ReviewFiles,
  reports: readonly Report[],
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const effort = lookingEffort();
  for (const file of new Set(reports.map(({ path }) => path))) {
    const own = reports.filter(({ path }) => path === file);
    const now = await files.look(file).catch(() => undefined);
    if (now !== undefined) {
      const change = await placed(record, files, {
        ...{ file, now, effort },
        diffs: own.filter((report) => report.type === 'diff'),
        change: own.findLast((report) => report.type === 'fileChange'),
        seen: record.state.files.get(file)?.seen,
      });
      changes.push(...(change === undefined ? [] : [change]));
    }
  }
  return changes;
}

async function placed(
  record: SessionRecord,
  files: ReviewFiles,
  reported: Reported,
): Promise<Change | undefined> {
  const { file, now, change, seen } = reported;
  if (change?.operation === 'delete' && now.kind === 'absent') {
    return change.fileType === 'directory' || seen?.kind === 'absent'
      ? undefined
      : { file, before: seen ?? (await deletedText(record, reported)), after: absent };
  }
  // A file that is as it was recorded was written through us.
  if (now.kind !== 'file' || (seen?.kind === 'file' && seen.hash === computeHash(now.bytes))) {
    return undefined;
  }
  switch (change?.operation) {
    case 'move':
      return moved(record, files, reported, now);
    case 'add':
    case 'copy': {
      const after = await record.contents.add(now.bytes, now.isExecutable);
      return { file, before: seen ?? absent, after };
    }
    case 'modify':
      return (await edited(record, reported, now)) ?? replaced(record, reported, now);
    default:
      return edited(record, reported, now);
  }
}

type There = Extract<FileNow, { kind: 'file' }>;

/** A change that is found in the file's text. */
async function edited(
  { contents }: SessionRecord,
  { file, diffs, effort }: Reported,
  now: There,
): Promise<Change | undefined> {
  const text = diffs.length === 0 ? undefined : await contents.exactText(file, now.bytes);
  const before = text === undefined ? undefined : textBefore(text, diffs, effort);
  if (before === undefined) {
    return undefined;
  }
  const after = await contents.add(now.bytes, now.isExecutable);
  return {
    file,
    before: before === null ? absent : await contents.addText(file, before, after),
    after,
  };
}

/** A change without lines, of which only the result is there. With lines that aren't found, it is left out. */
async function replaced(
  { contents }: SessionRecord,
  { file, diffs, seen = unknown }: Reported,
  now: There,
): Promise<Change | undefined> {
  return diffs.length > 0
    ? undefined
    : { file, before: seen, after: await contents.add(now.bytes, now.isExecutable) };
}

/** Finds what moved. Where the file was, there may be another one now: then it is a copy. */
async function moved(
  record: SessionRecord,
  files: ReviewFiles,
  reported: Reported,
  now: There,
): Promise<Change | undefined> {
  const { file, change, diffs } = reported;
  const after = await record.contents.add(now.bytes, now.isExecutable);
  const from = change?.oldPath;
  const left = from === undefined ? undefined : await files.look(from).catch(() => undefined);
  if (from === undefined || left?.kind !== 'absent') {
    return { file, before: reported.seen ?? absent, after };
  }
  const known = record.state.files.get(from)?.seen;
  const before = diffs.length === 0 ? after : (await edited(record, reported, now))?.before;
  const isKnown = known !== undefined && known.kind !== 'absent';
  return { file, movedFrom: from, before: isKnown ? known : (before ?? unknown), after };
}

async function deletedText(
  { contents }: SessionRecord,
  { file, diffs, effort }: Reported,
): Promise<FileState> {
  const text = diffs.length === 0 ? undefined : textBefore('', diffs, effort);
  return typeof text === 'string' ? contents.addText(file, text, absent) : unknown;
}
