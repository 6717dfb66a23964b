/** The words of a longer command line aren't read; a script of that length names nothing for sure. */
const longestCommand = 32 * 1024;
/** Maximum number of files of one command. */
const mostFiles = 200;
/** A shell may be given a command that gives one to a shell. */
const mostNested = 3;

/** Programs that write no file that they are given, and whose output goes where it is redirected. */
const readers =
  /^(?:cat|head|tail|less|more|ls|dir|tree|pwd|cd|grep|egrep|fgrep|rg|ag|find|fd|wc|nl|diff|cmp|stat|file|sort|uniq|cut|tr|awk|jq|yq|xxd|od|hexdump|md5sum|sha\d+sum|du|df|echo|printf|test|\[|true|which|type|get-content|get-childitem|select-string|write-output|write-host)$/i;
/** Programs whose arguments are what they run or look at, unless an option says that they write it. */
const runners =
  /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|deno|cargo|go|make|just|mvn|gradle|dotnet|pytest|jest|vitest|mocha|tsc|eslint|oxlint|biome|prettier|ruff|black|rustfmt|gofmt|rubocop|sed|perl|git|curl|wget|docker|kubectl|ssh|gcc|clang|javac)$/i;
/** Programs whose first argument is the script that they run. */
const interpreters =
  /^(?:node|tsx|ts-node|python\d*(?:\.\d+)?|ruby|php|lua|rscript|sh|bash|zsh|dash|ksh|fish|pwsh|powershell)(?:\.exe)?$/i;
const shells = /^(?:sh|bash|zsh|dash|ksh|fish|pwsh|powershell|cmd)(?:\.exe)?$/i;
const scriptFollows = /^(?:-[a-z]*c|-command|\/c)$/i;
/** Words before a program that say how to run it. */
const prefixes = /^(?:sudo|env|time|nice|nohup|command|exec|then|do|else|!|\{|\()$/;
const writingOptions = /^(?:--write|--fix|-w|-i|--in-place|-pi|-i\..*|--inplace)$/;
const outputOptions = /^(?:-o|-O|--output|--out|--out-file|--outfile|--output-document|of)$/;
/** Those of git that change the files that they are given. */
const writingGit = /^(?:checkout|restore|rm|mv|clean|apply)$/;
/** A text for a command within the line, up to its mark; the rest of the first line still counts. */
const hereText = /<<-?\s*(["']?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n[\t ]*\2(?=\n|$)|$)/g;
const redirect = /^\d?&?>{1,2}\|?$/;

/**
 * What a command line says that it writes, as its words are, with the folders that it changes to. What a program only
 * reads or runs doesn't count, nor does anything in doubt.
 */
export interface CommandFiles {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Reads a command line of any usual shell; nothing is expanded. */
export function filesOfCommand(line: string, depth = 0): CommandFiles {
  if (line.length > longestCommand || depth > mostNested) {
    return { files: [], folders: [] };
  }
  const all = commandsIn(line.replace(hereText, '$3')).map((words) => filesOf(words, depth));
  return {
    files: [...new Set(all.flatMap(({ files }) => files))].slice(0, mostFiles),
    folders: [...new Set(all.flatMap(({ folders }) => folders))].slice(0, mostFiles),
  };
}

function filesOf(all: readonly string[], depth: number): CommandFiles {
  const redirected = all.flatMap((word, at) => (redirect.test(word) ? [all[at + 1] ?? ''] : []));
  const words = withoutPrefixes(
    all.filter((word, at) => !redirect.test(word) && !redirect.test(all[at - 1] ?? '')),
  );
  const [path = '', ...args] = words;
  const program = path.replace(/^.*[\\/]/, '');
  const script = shells.test(program) ? scriptIn(args) : undefined;
  const inner = script === undefined ? undefined : filesOfCommand(script, depth + 1);
  const files = inner?.files ?? argumentFiles(program, args);
  return {
    files: [...redirected, ...files].filter(isName),
    folders:
      inner?.folders ?? (/^(?:cd|pushd|set-location)$/i.test(program) ? args.slice(0, 1) : []),
  };
}

function argumentFiles(program: string, args: readonly string[]): readonly string[] {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  if (readers.test(program)) {
    return [];
  }
  if (interpreters.test(program)) {
    return [...outputsIn(args), ...plain.slice(1)];
  }
  const isWriting =
    args.some((arg) => writingOptions.test(arg)) ||
    (program === 'git' && writingGit.test(plain[0] ?? ''));
  if (runners.test(program) && !isWriting) {
    return outputsIn(args);
  }
  // Of a copy, the others stay as they are.
  return /^(?:cp|copy|copy-item|install|ln)$/i.test(program) ? plain.slice(-1) : plain;
}

function outputsIn(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [option = '', value] = arg.split('=', 2);
    return outputOptions.test(option) ? [value ?? args[at + 1] ?? ''] : [];
  });
}

function scriptIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => scriptFollows.test(arg));
  return at === -1 ? undefined : args.slice(at + 1, at + 2)[0];
}

function withoutPrefixes(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !prefixes.test(word) && !/^\w+=/.test(word));
  return first === -1 ? [] : words.slice(first);
}

/** Neither a pattern nor something that a shell would fill in, nor an address. */
function isName(word: string): boolean {
  return word !== '' && !/[*?$`{}\n]|^&\d$|:\/\//.test(word);
}

/** The words of each command of a line, without their quotes; redirections are words of their own. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) {
      commands.at(-1)?.push(word);
    }
    word = undefined;
  };
  const tokens =
    line.match(
      /"(?:\\.|[^"\\])*"?|'[^']*'?|\\\r?\n|\\.|\d?&?>{1,2}\|?|<{1,3}|[;|&\n()]+|[^\S\n]+|[^\s"'\\<>;|&()]+|./g,
    ) ?? [];
  for (const token of tokens) {
    if (/^[;|&\n()]+$/.test(token)) {
      endWord();
      commands.push([]);
    } else if (/^\s+$|^\\\r?\n$/.test(token)) {
      endWord();
    } else if (redirect.test(token) || /^<+$/.test(token)) {
      endWord();
      commands.at(-1)?.push(token);
    } else {
      word = (word ?? '') + unquoted(token);
    }
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}

function unquoted(token: string): string {
  switch (token[0]) {
    case "'":
      return token.replace(/^'|'$/g, '');
    case '"':
      return token.replace(/^"|(?<!\\)"$/g, '').replace(/\\(["\\$`])/g, '$1');
    case '\\':
      // A Windows path has them between its names.
      return /^\\[\s"'\\$&|;<>()*?]/.test(token) ? token.slice(1) : token;
    default:
      return token;
  }
}
