import { type GitRun, mustGit } from '../../../../model/git/gitProcess';

/** The sizes of the contents that exist, by id. */
export async function readSizes(
  reading: (args: readonly string[], input: string) => GitRun,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const input = ids.map((id) => `${id}\n`).join('');
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'];
  const output = await mustGit(reading(args, input));
  const sizes = new Map<string, number>();
  for (const line of output.toString('latin1').split('\n')) {
    const [, id, size] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? [];
    if (id !== undefined) {
      sizes.set(id, Number(size));
    }
  }
  return sizes;
}
