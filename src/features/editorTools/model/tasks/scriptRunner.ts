/** What runs scripts of a `package.json`, as the setting `npm.scriptRunner` names it, and the file by which it is known. */
const runners: Readonly<
  Record<
    string,
    { readonly words: readonly [string, ...string[]]; readonly locks: readonly string[] }
  >
> = {
  npm: { words: ['npm', 'run'], locks: ['package-lock.json'] },
  pnpm: { words: ['pnpm', 'run'], locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'] },
  yarn: { words: ['yarn', 'run'], locks: ['yarn.lock'] },
  bun: { words: ['bun', 'run'], locks: ['bun.lock', 'bun.lockb'] },
  node: { words: ['node', '--run'], locks: [] },
};

/** The words before the name of a script: what the user has chosen, or else what the files of the folder are of. */
export function scriptRunner(
  chosen: string | undefined,
  names: readonly string[],
): readonly [string, ...string[]] {
  const isChosen = chosen !== undefined && Object.hasOwn(runners, chosen);
  const found = Object.values(runners).find(({ locks }) =>
    locks.some((lock) => names.includes(lock)),
  );
  return (isChosen ? runners[chosen] : found)?.words ?? ['npm', 'run'];
}
