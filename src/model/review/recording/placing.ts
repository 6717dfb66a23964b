import type { Diff } from '../../../shared/transcript/content';
import { lookingEffort, textBefore } from '../../transcript/textBefore';
import { hashOf } from '../record/contents';
import type { Change, SessionRecord } from '../record/sessionRecord';
import { absent } from '../record/stateText';
import type { ReviewFiles } from '../reviewFiles';

/**
 * The changes that an agent's diffs report, found in the files as they are now. What isn't found
 * without doubt is left out: it is a quotation, and no change of the file.
 */
export async function placeDiffs(
  { contents, state }: SessionRecord,
  files: ReviewFiles,
  diffs: readonly Diff[],
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const effort = lookingEffort();
  for (const file of new Set(diffs.map(({ path }) => path))) {
    const now = await files.look(file).catch(() => undefined);
    const text = now?.kind === 'file' ? await contents.exactText(file, now.bytes) : undefined;
    if (now?.kind !== 'file' || text === undefined) {
      continue;
    }
    const seen = state.files.get(file)?.seen;
    if (seen?.kind === 'file' && seen.hash === hashOf(now.bytes)) {
      // Recorded already, when it was written through us.
      continue;
    }
    const own = diffs.filter(({ path }) => path === file);
    const before = textBefore(text, own, effort);
    if (before !== undefined) {
      const after = await contents.add(now.bytes, now.isExecutable);
      const old = before === null ? absent : await contents.addText(file, before, after);
      changes.push({ file, before: old, after });
    }
  }
  return changes;
}
