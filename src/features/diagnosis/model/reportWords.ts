import { holdSecrets } from '../../../model/agents/heldByAgent';
import { joinedWords } from '../../../model/calls/commandLine';
import type { AgentConfig } from '../../../model/ports';
import { fenced, inlineCode } from '../../../model/text/markdownCode';
import { cleanText } from '../../../model/text/titles';
import { HeldSecrets } from '../../../util/secrets/heldSecrets';
import { isSecretArgument } from '../../../util/secrets/secretNames';
import { linesWithoutSecrets, withoutSecrets } from '../../../util/secrets/secretText';
import { hidden } from '../../../util/secrets/spans';

/** UTF-16 units of one line in which known secrets are looked for. */
const maxRead = 8192;
/**
 * UTF-16 units in which what only looks like a secret is looked for, which takes more time; more than is ever shown of
 * a line.
 */
const maxGuessed = 1000;
const maxLine = 300;

/** Writes what others have written so that it is nothing but text, and without the secrets of the settings. */
export class ReportWords {
  readonly #without: (text: string) => string;

  /** `withoutHeld` also removes what other settings and sign-ins hold. */
  constructor(
    config: Pick<AgentConfig, 'env' | 'args' | 'remote'>,
    withoutHeld: (text: string) => string = (text) => text,
  ) {
    const own = new HeldSecrets();
    holdSecrets(config, own);
    own.addSecrets(Object.values(config.env));
    this.#without = (text) => withoutHeld(own.without(text));
  }

  /** A line of code. */
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

  /** A line without known secrets. */
  #cleaned(text: string): string {
    return cleanText(this.#without(text.slice(0, maxRead)), maxRead).slice(0, maxGuessed);
  }
}

function cut(line: string): string {
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}
