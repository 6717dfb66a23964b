/** An agent of the registry, as far as it was read; all texts are one clean line. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The authors, as the registry names them; nobody has verified them. */
  readonly authors: readonly string[];
  readonly license: string | undefined;
  /** An `https:` address to read more. */
  readonly page: string | undefined;
  /** The address of the icon; not checked yet. */
  readonly icon: string | undefined;
  /** How it is run from a package registry, the preferred way first. */
  readonly packages: readonly RegistryPackage[];
  /** The programs that are offered for download, by the platform that they are for. */
  readonly binaries: Readonly<Partial<Record<Target, RegistryBinary>>>;
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

/** The platforms that a program can be for. */
export const targets = [
  'darwin-aarch64',
  'darwin-x86_64',
  'linux-aarch64',
  'linux-x86_64',
  'windows-aarch64',
  'windows-x86_64',
] as const;
export type Target = (typeof targets)[number];

/** A program to download, for one platform. */
export interface RegistryBinary {
  readonly version: string;
  /** The address to download it from; not checked yet. */
  readonly archive: string;
  /** The checksum in lower case; absent if the registry doesn't say which bytes are the right ones. */
  readonly sha256: string | undefined;
  /** The program in the archive: names of folders, then of the file. */
  readonly cmd: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The names of variables that an entry may not set. */
  readonly refusedEnv: readonly string[];
}

/** The platform of this machine; `undefined` if no program can be for it. */
export function findPlatformTarget(platform: string, arch: string): Target | undefined {
  const system = platform === 'win32' ? 'windows' : platform;
  const processor = arch === 'x64' ? 'x86_64' : arch === 'arm64' ? 'aarch64' : arch;
  return targets.find((target) => target === `${system}-${processor}`);
}
