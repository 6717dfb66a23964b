/** An agent of the registry, as far as it was read; all texts are one clean line. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** As the registry names them; nobody has verified them. */
  readonly authors: readonly string[];
  readonly license: string | undefined;
  /** An `https:` address to read more. */
  readonly page: string | undefined;
  /** How it is run from a package registry, the preferred way first. */
  readonly packages: readonly RegistryPackage[];
  /** Whether programs are offered for download. */
  readonly hasBinary: boolean;
}

export const runners = ['npx', 'uvx'] as const;
/** The program that fetches a package and runs it. */
export type Runner = (typeof runners)[number];

/** A package at an exact version. */
export interface RegistryPackage {
  readonly runner: Runner;
  readonly name: string;
  readonly version: string;
  /** The program of the package, if it isn't the one named like it. */
  readonly cmd: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The names of variables that an entry may not set. */
  readonly refusedEnv: readonly string[];
}
