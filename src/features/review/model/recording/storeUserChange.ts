import type { UserSave } from '../../../../model/changes/userSave';
import { isContent } from '../record/contents';
import { absent, type FileState } from '../record/fileState';
import type { Change, SessionRecord } from '../record/sessionRecord';

/** `undefined` if the record knows of it: a decision or an agent's write saves files, too. */
export async function storeUserChange(
  { contents, state }: SessionRecord,
  { file, before, after }: UserSave,
): Promise<Change | undefined> {
  const seen = state.files.get(file)?.seen;
  const isDecided = [...state.openDecisions.values()].some(({ files }) =>
    files.some((decided) => decided.file === file && isContent(decided.to, after)),
  );
  if (isDecided || (seen !== undefined && isContent(seen, after))) {
    return undefined;
  }
  const states: FileState[] = [];
  for (const bytes of [before, after]) {
    states.push(bytes === undefined ? absent : await contents.add(bytes));
  }
  const [old = absent, new_ = absent] = states;
  return { file, before: old, after: new_ };
}
