/** A command with which the user logs in, as an agent names it in a message: plain words, nothing for a shell. */
export interface LoginCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const program = /^(?:[\w@][\w.@-]*|(?:\/[\w.@-]+){2,})$/;
const argument = /^[\w.@=:,/+-]+$/;
const login = /^-{0,2}(?:log-?in|sign-?in|auth(?:enticate)?|\/(?:login|auth))$/i;
const maxWords = 8;
/** Longer messages aren't read to the end. */
const maxMessageLength = 1000;

const quoted = /(?:`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w))/g;
const verb = /\b(?:run|running|execute|type|enter|use|using|try|with)\b[^.`"“']{0,30}$/i;
const unquoted = /\b(?:run|running|execute|type|enter|try)\b\s*:?\s+([^\n`"“]+)/gi;
/** Words after which a verb's words are a sentence and no command. */
const notPrograms =
  /^(?:a|again|an|and|any|first|in|it|its|my|of|one|or|our|that|the|then|their|this|to|with|you|your)$/i;

/**
 * The command that an agent's message asks the user to run for a login, such as "Run `fern login`" or
 * "Please run: fern auth login"; `undefined` when it names none that is certainly only a program and its arguments.
 */
export function loginCommandIn(message: string): LoginCommand | undefined {
  const text = message.slice(0, maxMessageLength);
  for (const match of text.matchAll(quoted)) {
    const said = match.slice(1).join('');
    const found = findCommand(said.trim().split(/\s+/));
    const isAsked = verb.test(text.slice(0, match.index));
    if (
      found &&
      found.args.length > 0 &&
      (isAsked || found.args.some((word) => login.test(word)))
    ) {
      return found;
    }
  }
  for (const [, words = ''] of text.matchAll(unquoted)) {
    const found = findCommand(untilLogin(words.trim().split(/\s+/)));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** What belongs to the command of a sentence: up to the word for the login, and options after it. */
function untilLogin(words: readonly string[]): readonly string[] {
  const plain = words.slice(0, maxWords).map((word) => word.replace(/[.,;:!?)]+$/, ''));
  const at = plain.findIndex((word, index) => index > 0 && login.test(word));
  if (at < 0 || plain.slice(0, at).some((word, index) => word !== words[index])) {
    return [];
  }
  let end = at + 1;
  // "auth login" is one subcommand, and a sentence may end with the word.
  while (end < plain.length && plain[end - 1] === words[end - 1] && isMore(plain[end])) {
    end += 1;
  }
  return plain.slice(0, end);
}

function isMore(word = ''): boolean {
  return word.startsWith('--') || login.test(word);
}

function findCommand([command = '', ...args]: readonly string[]): LoginCommand | undefined {
  const isCommand =
    program.test(command) &&
    !notPrograms.test(command) &&
    args.length < maxWords &&
    args.every((word) => argument.test(word));
  return isCommand ? { command, args } : undefined;
}
