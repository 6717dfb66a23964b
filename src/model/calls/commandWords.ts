import process from 'node:process';
import { literal } from '../../shared/literal';

/**
 * Reads commands for rules. A rule names words, and is compared with words, never with a text. A
 * command that comes as a text is read only if every shell would read the same words in it;
 * otherwise it can't be allowed, and is searched for what a rule rejects.
 */

/** Characters without a meaning to any shell, on any system; quoted words may have spaces besides. */
const plainWord = /^(?!=)[\p{L}\p{N}_@+=:,./-]+$/u;
const nextWord =
  / *(?:"(?<double>[\p{L}\p{N}_@+=:,./ -]*)"|'(?<single>[\p{L}\p{N}_@+=:,./ -]*)'|(?<plain>(?!=)[\p{L}\p{N}_@+=:,./-]+))(?= |$)/uy;
const outsideOfWords = /[^\p{L}\p{N}_@+=:,./-]+/u;
/** Signs by which a shell makes other words than those in the text, or joins the parts of one over a line's end. */
const makesWords = /[$`%*?[\]{}~!]|[^\s;&|(<>]\(|[^\s\\]\\+\r?\n\S/;
const maxCommandLength = 32_768;

/** Programs that run another one, which is named by a later word. */
const runners = new Set(
  `sudo doas env nohup nice ionice time timeout xargs exec command builtin eval setsid stdbuf
  strace watch busybox sh bash dash zsh ksh fish cmd powershell pwsh start find fd parallel
  ssh su runuser chroot flock script unshare nsenter taskset
  call if for forfiles runas wsl conhost rundll32 cscript wscript mshta`.split(/\s+/),
);

/** A shell, or another program that takes what it runs from what stands before it. */
const takesCommands =
  /\|&?\s*(?:[\w./-]*\/)?(?:(?:ba|da|z|k|c|tc|fi|a)?sh|xargs|parallel|python[\d.]*|perl|ruby|node|php)(?![\w-])/;

/**
 * Programs that run nothing but themselves, whatever their arguments. All others may run what they are given: runners
 * of tasks, shells of other kinds, programs with hooks.
 */
const inert = new Set(
  `echo pwd ls cat head tail wc cut tr uniq stat du df basename dirname realpath readlink true false sleep date
  grep egrep fgrep cmp which mkdir rmdir touch cp mv rm ln chmod`.split(/\s+/),
);
const systemFolder = /^(?:\/usr)?\/bin\/$/;

/** The words of a command text; `undefined` if they depend on a shell. */
export function findWords(
  text: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  const line = text.length > maxCommandLength ? '' : withoutSpaceAround(text);
  if (line === '') {
    return undefined;
  }
  const words: string[] = [];
  nextWord.lastIndex = 0;
  while (nextWord.lastIndex < line.length) {
    const { double, single, plain } = nextWord.exec(line)?.groups ?? {};
    // On Windows, single quotes are ordinary characters to one of the shells.
    const word = plain ?? double ?? (platform === 'win32' ? undefined : single);
    if (word === undefined) {
      return undefined;
    }
    words.push(word);
  }
  return words;
}

/** Trims a text in linear time, which an expression for its end would not take. */
function withoutSpaceAround(text: string): string {
  const isSpace = (at: number): boolean => ' \t\r\n'.includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (start < end && isSpace(start)) {
    start++;
  }
  while (end > start && isSpace(end - 1)) {
    end--;
  }
  return text.slice(start, end);
}

/** Whether every one of these words means just itself in every shell. */
export function arePlain(words: readonly string[]): boolean {
  return words.every((word) => plainWord.test(word) && literal(word) === word);
}

/** Programs that take another one, a package or code after words like these. */
const takers =
  /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|nerdctl|kubectl|oc|lxc|bwrap|firejail|pkexec|doas|su|chroot|unshare|nsenter|strace|ltrace|gdb|lldb|valgrind|watch|entr|gtimeout|tcsh|csh|ash|fish|nu|busybox|wsl|ssh|ld-linux[\w.-]*)$/;
const codeTakers =
  /^(?:python|node|deno|bun|perl|ruby|php|lua|tclsh|Rscript|julia|groovy|osascript)/;

/** Options after which a program or code comes. */
const beforeCode = /^(?:--|-[a-zA-Z]{0,3}[ceyxE]|--(?:eval|exec|command|call|yes))$/;

/** Whether what follows these words may be a program or code: after an option at their end, or for what such a program is for. */
export function takesProgram(words: readonly string[]): boolean {
  const [program = '', ...further] = words;
  const name = program.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
  const last = further.at(-1) ?? '';
  return (
    takers.test(name) ||
    (codeTakers.test(name) && further.every((word) => word.startsWith('-'))) ||
    beforeCode.test(last) ||
    /^(?:run|exec|dlx|x)$/.test(last) ||
    (name === 'git' && (further[0] ?? '').startsWith('-'))
  );
}

/** Whether these words begin with those of a rule, each exactly the same. */
export function beginsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= words.length && prefix.every((word, at) => word === words[at]);
}

/**
 * Whether a rule that rejects applies to these words. Where the program is, and what it is called,
 * doesn't matter, nor do options before the rule's later words, nor a program that runs another.
 */
export function mayBegin(words: readonly string[], prefix: readonly string[]): boolean {
  return (
    beginsLoosely(words, prefix) ||
    (runsAnother(words) && mayContain(words.join(' '), prefix) === 'yes')
  );
}

/**
 * Whether a rule that rejects might apply to these words: its words stand, or could be made by a shell, among the
 * arguments of a program that may run what it is given, or in what is named as a program but reads like a line.
 */
export function mightRun(words: readonly string[], prefix: readonly string[]): boolean {
  const [first = '', ...rest] = words;
  return (
    (!isInert(first) && mayContain(rest.join(' '), prefix) !== 'no') ||
    ((runsAnother(words) || outsideOfWords.test(first)) &&
      mayContain(words.join(' '), prefix) !== 'no')
  );
}

function isInert(program: string): boolean {
  const folder = program.slice(0, program.lastIndexOf('/') + 1);
  return (folder === '' || systemFolder.test(folder)) && inert.has(programName(program));
}

/**
 * Whether a rule that rejects might apply to these words as cmd.exe of Windows reads them: it also
 * separates words at `,`, `;` and `=`, skips `@`, and options need no space before them (`rd/s/q`).
 */
export function mightBeginForCmd(
  words: readonly string[],
  prefix: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'win32') {
    return false;
  }
  const text = words.join(' ');
  return (
    beginsLoosely(cmdWords(text), cmdWords(prefix.join(' '))) ||
    (runsAnother(words) && mayContain(text, prefix, platform) !== 'no')
  );
}

function cmdWords(text: string): readonly string[] {
  return text
    .replaceAll('/', ' /')
    .split(/[\s,;=@]+/)
    .filter((word) => word !== '');
}

/** Whether the program of a command runs another one, or a variable is set for it. */
export function runsAnother([first = '']: readonly string[]): boolean {
  return runners.has(programName(first)) || first.includes('=');
}

/** Whether words may begin with the prefix if options, each perhaps with a value, stand between its words. */
function beginsLoosely(words: readonly string[], prefix: readonly string[]): boolean {
  let at = 0;
  for (const [place, wanted] of prefix.entries()) {
    while (
      place > 0 &&
      !isSame(words[at], wanted) &&
      (isOption(words[at]) || (isOption(words[at - 1]) && at > 1))
    ) {
      at++;
    }
    if (
      place === 0 ? programName(words[0] ?? '') !== programName(wanted) : !isSame(words[at], wanted)
    ) {
      return false;
    }
    at++;
  }
  return true;
}

/**
 * Whether a text that only a shell understands contains the words of a rule that rejects: `yes` if
 * they occur in their order, however quoted; `perhaps` if the shell could make them.
 */
export function mayContain(
  text: string,
  prefix: readonly string[],
  platform: NodeJS.Platform = process.platform,
): 'yes' | 'perhaps' | 'no' {
  const wanted = prefix.flatMap(looseWords);
  if (occurIn(text, wanted, isNamed)) {
    return 'yes';
  }
  return wanted.length === 0 ||
    makesWords.test(text) ||
    takesCommands.test(text) ||
    occurIn(text, wanted, isAttached) ||
    containsForCmd(text, wanted, platform)
    ? 'perhaps'
    : 'no';
}

/** Whether a word of a text stands for the word of a rule. */
type IsWord = (word: string, wanted: string) => boolean;

/** Whether these words occur in a text in their order, however quoted. */
function occurIn(text: string, wanted: readonly string[], isWord: IsWord): boolean {
  const unquoted = text.replaceAll(/['"\\^`]/g, '');
  // A value is a word of its own to whoever runs it.
  const texts = [text, unquoted, unquoted.replaceAll('=', ' ')];
  return wanted.length > 0 && texts.some((read) => occurInOrder(looseWords(read), wanted, isWord));
}

function containsForCmd(
  text: string,
  wanted: readonly string[],
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'win32') {
    return false;
  }
  const read = cmdWords(text.replaceAll(/["^]/g, '')).flatMap(looseWords);
  return occurInOrder(read, wanted.flatMap(cmdWords), isNamed);
}

function looseWords(text: string): string[] {
  return text.split(outsideOfWords).filter((word) => word !== '');
}

function occurInOrder(
  words: readonly string[],
  wanted: readonly string[],
  isWord: IsWord,
): boolean {
  let at = 0;
  for (const word of words) {
    const next = wanted[at];
    if (next !== undefined && isWord(word, next)) {
      at++;
    }
  }
  return at === wanted.length;
}

function isNamed(word: string, wanted: string): boolean {
  return isSame(word, wanted) || programName(word) === programName(wanted);
}

/** Whether a word is the wanted one, or the value of an option that it is attached to (`-cgit`). */
function isAttached(word: string, wanted: string): boolean {
  return isNamed(word, wanted) || (/^-[a-z]/i.test(word) && isNamed(word.slice(2), wanted));
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith('-') === true || /^\/\w$/.test(word ?? '');
}

function isSame(word: string | undefined, wanted: string): boolean {
  return word?.toLowerCase() === wanted.toLowerCase();
}

/** A program's name without its folder and the endings of Windows. */
function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}
