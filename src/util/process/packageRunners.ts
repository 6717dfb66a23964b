import { programName } from './programName';

/** A command that fetches a package and runs a program of it, such as npx. */
export interface PackageRun {
  /** The program and what it is told to fetch, without the arguments of the package's own program. */
  readonly key: string;
  /** Whether it runs the fetched program as its child, so having one tells that nothing is fetched any more. */
  readonly hasChild: boolean;
}

/** The subcommands of a program that fetch and run a package; none if it does nothing else. */
const runners: ReadonlyMap<string, readonly string[]> = new Map([
  ['npx', []],
  ['pnpx', []],
  ['pnx', []],
  ['bunx', []],
  ['uvx', []],
  ['dnx', []],
  ['npm', ['exec', 'x']],
  ['pnpm', ['dlx']],
  ['yarn', ['dlx']],
  ['yarnpkg', ['dlx']],
  ['bun', ['x']],
  ['uv', ['tool run']],
  ['pipx', ['run']],
  ['pixi', ['exec', 'x']],
  ['gem', ['exec']],
  ['dotnet', ['dnx', 'tool exec']],
  ['deno', ['run', 'x']],
]);
/** Programs that become the fetched program, or run it themselves. */
const withoutChild: ReadonlySet<string> = new Set(['pipx', 'pixi', 'gem', 'dotnet', 'dnx', 'deno']);

/** Programs that run what their arguments name, in the folder in which they start. */
const wrappers =
  /^(?:env|corepack|mise|rtx|asdf|volta|fnm|nodenv|nodeenv|sudo|doas|nice|ionice|nohup|time|timeout|stdbuf|setsid|caffeinate|dotenv|dotenvx|op|doppler|infisical|chamber|xvfb-run|winpty|proxychains4?|torsocks|firejail)$/;
const shells = /^(?:(?:ba|z|da|k|fi)?sh|powershell|pwsh|nu)$/;
const shellCommand = /^(?:-[a-z]*c|-command)$/i;
/** The scripts behind npm's programs, for a command that names Node itself. */
const scripts = /^(npx|npm)-cli\.js$/;
/** Options that choose the folder to work in: that is the user's choice, and stays. */
const folderOption = /^(?:-C|--(?:prefix|dir|cwd|chdir|directory|project|root))(?:=|$)/;
/** Options of the runners that take the next word as their value. */
const valueOption =
  /^(?:-[pwcn]|--(?:package|call|workspace|registry|cache|userconfig|loglevel|from|with|with-editable|with-requirements|python|index|index-url|extra-index-url|default-index|spec|allow-build|config|version))$/;
/** Options that name a further package. */
const packageOption = /^(?:-p|-c|--(?:package|from|with|with-editable|spec))$/;
const maxWrappers = 5;

/** Reads a command as the run of a package; `undefined` for any other. */
export function findPackageRun(command: string, args: readonly string[]): PackageRun | undefined {
  let words: readonly string[] | undefined = [command, ...args];
  for (let level = 0; level <= maxWrappers && words !== undefined; level++) {
    const run = directRun(words);
    if (run !== undefined) {
      return level === 0 ? run : { ...run, hasChild: false };
    }
    words = wrapped(words);
  }
  return undefined;
}

function directRun([command = '', ...args]: readonly string[]): PackageRun | undefined {
  const name = getName(command);
  const subcommands = runners.get(name);
  const rest = subcommands && afterSubcommand(args, subcommands);
  if (rest === undefined) {
    return undefined;
  }
  const { own, packages } = ownWords(rest);
  const global = args.slice(0, args.length - rest.length);
  if ([...global, ...own].some((word) => folderOption.test(word))) {
    return undefined;
  }
  // Otherwise it runs a file.
  if (name === 'deno' && !packages.some((spec) => /^(?:npm|jsr|https?):/.test(spec))) {
    return undefined;
  }
  return { key: [name, ...packages].join(' '), hasChild: !withoutChild.has(name) };
}

/** The words after a subcommand; `undefined` if it is none of these. */
function afterSubcommand(
  args: readonly string[],
  subcommands: readonly string[],
): readonly string[] | undefined {
  if (subcommands.length === 0) {
    return args;
  }
  const positions = args.flatMap((word, index) =>
    word.startsWith('-') || valueOption.test(args[index - 1] ?? '') ? [] : [index],
  );
  for (const subcommand of subcommands) {
    const words = subcommand.split(' ');
    const found = positions.slice(0, words.length);
    if (words.every((word, index) => args[found[index] ?? -1] === word)) {
      return args.slice((found.at(-1) ?? 0) + 1);
    }
  }
  return undefined;
}

/** The runner's own words, up to the one that names the program, and the packages among them. */
function ownWords(args: readonly string[]): {
  readonly own: readonly string[];
  readonly packages: readonly string[];
} {
  const packages: string[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index] ?? '';
    const [option = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    if (word === '--') {
      packages.push(...args.slice(index + 1, index + 2));
      break;
    }
    if (!word.startsWith('-')) {
      packages.push(word);
      break;
    }
    const taken = value ?? (valueOption.test(option) ? args[++index] : undefined);
    if (taken !== undefined && packageOption.test(option)) {
      packages.push(taken);
    }
  }
  return { own: args.slice(0, index), packages };
}

/** What a program runs that runs others; `undefined` if it isn't known to, or if it may change the folder. */
function wrapped([command = '', ...args]: readonly string[]): readonly string[] | undefined {
  const name = getName(command);
  if (name === 'node' || name === 'bun') {
    const index = args.findIndex((word) => !word.startsWith('-'));
    const [, script] = scripts.exec(getBaseName(args[index] ?? '')) ?? [];
    return script === undefined ? undefined : [script, ...args.slice(index + 1)];
  }
  if (name === 'cmd') {
    const index = args.findIndex((word) => /^\/[ck]$/i.test(word));
    return index === -1 ? undefined : lastCommand(args.slice(index + 1).join(' '));
  }
  if (shells.test(name)) {
    const index = args.findIndex((word) => shellCommand.test(word));
    return index === -1 ? undefined : lastCommand(args[index + 1] ?? '');
  }
  if (!wrappers.test(name)) {
    return undefined;
  }
  const split = args.findIndex((word) => /^-S$|^--split-string$/.test(word));
  if (name === 'env' && split !== -1) {
    return lastCommand(args.slice(split + 1).join(' '));
  }
  const index = args.findIndex((word) => {
    const inner = getName(word);
    return runners.has(inner) || wrappers.test(inner) || shells.test(inner);
  });
  const own = args.slice(0, index);
  return index === -1 || own.some((word) => folderOption.test(word))
    ? undefined
    : args.slice(index);
}

/** The words of the last of the commands in a line for a shell, roughly; none if one may change the folder. */
function lastCommand(line: string): readonly string[] | undefined {
  const commands = line.split(/&&|\|\||[;\n]/).map((part) => part.trim().split(/\s+/));
  if (commands.some(([word = '']) => /^(?:cd|chdir|pushd|set-location)$/i.test(word))) {
    return undefined;
  }
  const words = (commands.at(-1) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
  const start = words.findIndex((word) => word !== 'exec' && word !== '&' && !/^\w+=/.test(word));
  return start === -1 ? undefined : words.slice(start);
}

function getName(command: string): string {
  return programName(command)
    .replace(/\.(?:bat|ps1)$/i, '')
    .toLowerCase();
}

function getBaseName(file: string): string {
  return file.replace(/^.*[\\/]/s, '');
}
