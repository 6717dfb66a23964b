import process from 'node:process';
import { escapeRegExp } from '../../util/escapeRegExp';
import { isSecretArgument } from '../../util/secrets/secretNames';
import { linesWithoutSecrets, withoutSecrets } from '../../util/secrets/secretText';
import { hidden } from '../../util/secrets/spans';
import type { AgentConfig } from '../ports';
import { joinedWords } from '../requests/commandLine';
import { fenced, inlineCode } from '../text/markdownCode';
import { cleanText } from '../text/titles';

/** Values of variables that are shorter may be part of any word. */
const shortestSecret = 4;
/** UTF-16 units of one line in which known secrets are looked for. */
const maxRead = 8192;
/** The same for what only looks like one, which takes more time; more than is ever shown of a line. */
const maxGuessed = 1000;
const maxLine = 300;

/** Writes what others have written so that it is nothing but text, and without the secrets of the settings. */
export class ReportWords {
  readonly #secrets: readonly string[];

  constructor({ env, args }: Pick<AgentConfig, 'env' | 'args'>) {
    const secrets = [...Object.values(env), ...secretArguments(args)];
    this.#secrets = [...new Set(secrets.flatMap(partsOf))]
      .filter((secret) => secret.length >= shortestSecret)
      .sort((a, b) => b.length - a.length);
  }

  /** One line, as code. */
  code(text: string, limit = maxLine): string {
    return inlineCode(withoutSecrets(this.#cleaned(text)), limit) || '—';
  }

  /** Lines, as a block of code; each is cut. */
  block(lines: readonly string[]): string {
    const cleaned = lines.map((line) => this.#cleaned(line));
    return fenced(linesWithoutSecrets(cleaned).map(cut).join('\n'));
  }

  /** A command with its arguments. */
  command({ command, args }: Pick<AgentConfig, 'command' | 'args'>): string {
    const shown = args.map((arg, at) => (isSecretArgument(args, at) ? hidden : arg));
    return this.code(joinedWords([command, ...shown]) ?? '', 600);
  }

  /** Without known secrets; cleaned first, so that no invisible character hides one from the search. */
  #cleaned(text: string): string {
    const known = this.#secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, hidden),
      cleanText(text, maxRead),
    );
    return known.slice(0, maxGuessed);
  }
}

/** The arguments that are secrets by the name before them. */
function secretArguments(args: readonly string[]): readonly string[] {
  return args.filter((_, at) => isSecretArgument(args, at));
}

/** A value with lines may be printed line by line. */
function partsOf(secret: string): readonly string[] {
  return [secret, ...secret.split(/\r?\n/)].map((part) => cleanText(part, maxRead));
}

function cut(line: string): string {
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}

/** Replaces the user's folder, and the names of other users' folders, in a text that leaves this machine. */
export function withoutHome(text: string, home: string): string {
  const spellings = [home, home.replaceAll('\\', '/'), home.replaceAll('\\', '\\\\')];
  const own = [...new Set(spellings)].filter((spelling) => /[^\\/]/.test(spelling));
  const flags = process.platform === 'win32' ? 'gi' : 'g';
  return own
    .reduce(
      (rest, spelling) =>
        rest.replace(new RegExp(`${escapeRegExp(spelling)}(?![\\w.-])`, flags), '~'),
      text,
    )
    .replace(/([\\/](?:home|users)[\\/]+)[^\\/\s"'`:;]+/gi, `$1${hidden}`);
}
