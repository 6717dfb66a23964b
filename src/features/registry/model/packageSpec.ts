import { compareNumbers } from '../../../util/compareNumbers';
import type { RegistryPackage, Runner } from './registryAgent';

/** A name and what follows it; never an option, a path, an address or an alias of another package. */
const specs: Readonly<Record<Runner, RegExp>> = {
  npx: /^((?:@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@(.+))?$/i,
  uvx: /^([a-z0-9](?:[\w.-]*[a-z0-9])?(?:\[[a-z0-9][\w.,-]*\])?)(?:(?:==|@)(.+))?$/i,
};
const exactVersions: Readonly<Record<Runner, RegExp>> = {
  npx: /^\d+\.\d+\.\d+(?:[-+][0-9a-z.+-]+)?$/i,
  uvx: /^\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)*$/i,
};

export interface PackageSpec {
  readonly name: string;
  /** An exact one, if any is named. */
  readonly version: string | undefined;
}

/** Reads a package with its version; `undefined` for anything but a name and an exact version. */
export function readSpec(runner: Runner, text: string): PackageSpec | undefined {
  const [, name, version] = specs[runner].exec(text) ?? [];
  return name === undefined || (version !== undefined && !exactVersions[runner].test(version))
    ? undefined
    : { name, version };
}

/** Whether the package registry of this runner could have such a version. */
export function isExactVersion(runner: Runner, version: string): boolean {
  return exactVersions[runner].test(version);
}

/** The command that fetches exactly this version, and runs it. */
export function getCommand({ runner, name, version, cmd, args }: RegistryPackage): string[] {
  switch (runner) {
    case 'npx': {
      const spec = `${name}@${version}`;
      // Without a question on the terminal, which an agent doesn't have.
      return cmd === undefined
        ? ['npx', '--yes', '--', spec, ...args]
        : ['npx', '--yes', `--package=${spec}`, '--', cmd, ...args];
    }
    case 'uvx': {
      const spec = `${name}==${version}`;
      return cmd === undefined ? ['uvx', spec, ...args] : ['uvx', '--from', spec, cmd, ...args];
    }
  }
}

/** Whether a version comes after another one; of versions that can't be compared, neither does. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [getRelease(version), getRelease(than)];
  const difference = compareNumbers(a.numbers, b.numbers);
  if (difference !== 0) {
    return difference > 0;
  }
  // A release comes after its previews, whose order differs between package registries.
  return a.preview === '' && /^[-.]?[a-z]/i.test(b.preview) && !b.preview.startsWith('.post');
}

function getRelease(version: string): {
  readonly numbers: readonly number[];
  readonly preview: string;
} {
  const [release = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  const [preview = ''] = version.slice(release.length).split('+');
  return { numbers: release.split('.').map(Number), preview };
}
