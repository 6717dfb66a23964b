import process from 'node:process';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The system that a decision is made for; otherwise the one that this process runs on. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
}

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
        merged.set(platform === 'win32' ? windowsKey(name) : name, { name, value });
      }
    }
  }
  return Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value]));
}

/**
 * Equal for two names of one variable on Windows. Letters beyond ASCII stay: some have an ASCII one
 * as their upper case, such as `ſ`, and a variable could otherwise replace a different one.
 */
export function windowsKey(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
