/** The words of a longer command line aren't read; a script of that length names nothing for sure. */
const maxCommandLength = 32 * 1024;
/** Maximum number of files of one command. */
const maxFiles = 200;
/** A shell may be given a command that gives one to a shell. */
const maxNestedShells = 3;

/** Programs that make the files that they are given, or write to them. */
const makers = /^(?:touch|tee|tee-object|truncate|new-item|ni|set-content|add-content|out-file)$/i;
const removers = /^(?:rm|unlink|shred|del|erase|remove-item)$/i;
/** Commands that only make the last of their arguments. */
const copiers = /^(?:cp|copy|copy-item|install|ln)$/i;
const movers = /^(?:mv|move|move-item|ren|rename-item)$/i;
/** Programs that make the file that follows this option. */
const builders = /^(?:cc|gcc|g\+\+|clang|clang\+\+|rustc|go|curl|wget|pandoc|tsc|esbuild)$/i;
const outputOptions = /^(?:-o|-O|--output|--out|--outfile|--output-document)$/;
const shells = /^(?:sh|bash|zsh|dash|ksh|fish|pwsh|powershell|cmd)(?:\.exe)?$/i;
const scriptFollows = /^(?:-[a-z]*c|-command|\/c)$/i;
/** Words before a program that say how to run it. */
const prefixes = /^(?:sudo|env|time|nice|nohup|command|exec|then|do|else|!|\{|\()$/;
/** A text for a command within the line, up to its mark; the rest of the first line still counts. */
const hereText = /<<-?\s*(["']?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n[\t ]*\2(?=\n|$)|$)/g;
const redirect = /^\d?&?>{1,2}\|?$/;

/**
 * The files that a command line says that it makes or removes, as its words are, with the folders that it changes to.
 * What any other program is given it may only read, so it doesn't count, nor does anything in doubt.
 */
export interface CommandFiles {
  readonly made: readonly string[];
  readonly removed: readonly string[];
  readonly folders: readonly string[];
}

const none: CommandFiles = { made: [], removed: [], folders: [] };

/** Reads a command line of any usual shell; nothing is expanded. */
export function filesOfCommand(line: string, depth = 0): CommandFiles {
  if (line.length > maxCommandLength || depth > maxNestedShells) {
    return none;
  }
  const all = commandsIn(line.replace(hereText, '$3')).map((words) => getFiles(words, depth));
  const unique = (key: keyof CommandFiles): readonly string[] =>
    [...new Set(all.flatMap((it) => it[key]))].slice(0, maxFiles);
  return { made: unique('made'), removed: unique('removed'), folders: unique('folders') };
}

function getFiles(all: readonly string[], depth: number): CommandFiles {
  const redirected = all.flatMap((word, at) => (redirect.test(word) ? [all[at + 1] ?? ''] : []));
  const words = withoutPrefixes(
    all.filter((word, at) => !redirect.test(word) && !redirect.test(all[at - 1] ?? '')),
  );
  const [path = '', ...args] = words;
  const program = path.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
  const script = shells.test(program) ? scriptIn(args) : undefined;
  const { made, removed, folders } =
    script === undefined ? filesOfProgram(program, args) : filesOfCommand(script, depth + 1);
  return {
    made: [...redirected, ...made].filter(isName),
    removed: removed.filter(isName),
    folders,
  };
}

function filesOfProgram(program: string, args: readonly string[]): CommandFiles {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  if (/^(?:cd|pushd|set-location)$/i.test(program)) {
    return { ...none, folders: args.slice(0, 1) };
  }
  if (program === 'git') {
    return /^(?:rm|mv)$/.test(plain[0] ?? '')
      ? filesOfProgram(plain[0] ?? '', plain.slice(1))
      : none;
  }
  if (movers.test(program)) {
    return { ...none, made: plain.slice(1).slice(-1), removed: plain.slice(0, -1) };
  }
  if (removers.test(program)) {
    return { ...none, removed: plain };
  }
  const made = makers.test(program)
    ? plain
    : copiers.test(program)
      ? plain.slice(1).slice(-1)
      : builders.test(program)
        ? outputsIn(args)
        : [];
  return { ...none, made };
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
