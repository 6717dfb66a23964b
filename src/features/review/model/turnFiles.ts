import { mapAtOnce } from '../../../util/async';
import { findChange } from './decisions/withoutTurns';
import { isContent } from './record/contents';
import { type FileState, isSameState } from './record/fileState';
import type { FileRecord } from './record/recordState';
import type { SessionRecord } from './record/sessionRecord';
import type { TurnFile, TurnSide } from './review';
import type { ReviewFiles } from './reviewFiles';

const looksAtOnce = 8;

/** What a turn did to a file, and where the file is in the record now. */
interface Past {
  readonly file: FileRecord;
  readonly before: FileState;
  readonly after: FileState;
  /** The file's paths before the turn and after it. */
  readonly from: string;
  readonly to: string;
}

/** What a turn did, also after everything in it was decided. */
export async function filesOfTurn(
  record: SessionRecord,
  files: ReviewFiles,
  turn: number,
  most: number,
): Promise<readonly TurnFile[]> {
  const changed = [...record.state.files.values()]
    .flatMap((file) => pathAfter(file, turn) ?? [])
    .sort((a, b) => (a.to < b.to ? -1 : 1));
  const found: Past[] = [];
  for (const { file } of changed) {
    const past = found.length < most ? await readPast(record, file, turn) : undefined;
    found.push(...(past === undefined ? [] : [past]));
  }
  return mapAtOnce(found, looksAtOnce, async (past) => {
    const { file, before, after, from, to } = past;
    return {
      file: to,
      ...(from !== to && { movedFrom: from }),
      kind: getKind(past),
      form: await record.contents.form(to, before, after),
      isAsLeft: file.file === to && !file.isOutside && (await isAsLeft(files, to, after)),
    };
  });
}

/** The text of a file before or after a turn. `null`: no file. `undefined`: not a text, or not recorded. */
export async function textOfTurn(
  record: SessionRecord,
  turn: number,
  path: string,
  side: TurnSide,
): Promise<string | null | undefined> {
  const file = [...record.state.files.values()].find(
    (candidate) => pathAfter(candidate, turn)?.to === path,
  );
  const past = file && (await readPast(record, file, turn));
  return past && record.contents.text(side === 'before' ? past.from : path, past[side]);
}

function pathAfter(
  file: FileRecord,
  turn: number,
): { readonly file: FileRecord; readonly to: string } | undefined {
  const last = file.steps.findLast((step) => step.by === 'agent' && step.turn === turn);
  return last && { file, to: last.to };
}

async function readPast(
  { contents }: SessionRecord,
  file: FileRecord,
  turn: number,
): Promise<Past | undefined> {
  const change = await findChange(contents, file, { from: turn, to: turn }, 'lastOfThem');
  const to = pathAfter(file, turn)?.to;
  if (change === undefined || to === undefined) {
    return undefined;
  }
  const { before, after, path: from } = change;
  const isBack = from === to && isSameState(before, after);
  return isBack ? undefined : { file, before, after, from, to };
}

function getKind({ before, after, from, to }: Past): TurnFile['kind'] {
  if (before.kind === 'absent') {
    return 'added';
  }
  if (after.kind === 'absent') {
    return 'deleted';
  }
  return from === to ? 'modified' : 'moved';
}

/** What the user has typed and not saved counts, too. */
async function isAsLeft(files: ReviewFiles, path: string, after: FileState): Promise<boolean> {
  const now = await files.look(path);
  switch (now.kind) {
    case 'file':
      return now.unsaved === undefined && isContent(after, now.bytes);
    case 'absent':
      return after.kind === 'absent';
    case 'untouchable':
      return false;
  }
}
