import process from 'node:process';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Merges environments; later ones win. On Windows, `Path` and `PATH` are the same variable, and a
 * child process would otherwise get whichever comes first.
 */
export function mergeEnvironments(
  environments: readonly Environment[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const merged = new Map<string, { readonly name: string; readonly value: string }>();
  for (const environment of environments) {
    for (const [name, value] of Object.entries(environment)) {
      if (value !== undefined) {
        merged.set(platform === 'win32' ? name.toUpperCase() : name, { name, value });
      }
    }
  }
  return Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value]));
}
