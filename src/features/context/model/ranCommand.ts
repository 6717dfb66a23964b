import { outputText } from '../../../shared/terminal/outputText';
import { withoutSecrets } from '../../../util/secrets/secretText';

/** A command that ran in a terminal, or still runs. */
export interface RanCommand {
  /** As it was typed. */
  readonly line: string;
  readonly folder: string | undefined;
  /** How it ended, as far as the shell tells it. */
  readonly end: 'running' | 'unknown' | number;
  /** As it was written, with terminal sequences; its end only if it `isCut`. */
  readonly output: string;
  readonly isCut: boolean;
}

const maxLine = 60;

/** The command with its output, as text without terminal sequences, and without what looks like a secret. */
export function ranCommandText({ line, folder, end, output, isCut }: RanCommand): string {
  const facts = [
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(end === 'running' ? ['still running'] : []),
    ...(typeof end === 'number' ? [`exit code ${end}`] : []),
  ];
  return withoutSecrets(
    [
      `$ ${line}`,
      ...(facts.length > 0 ? [`(${facts.join(', ')})`] : []),
      '',
      ...(isCut ? ['[… only the end of the output]'] : []),
      // Of a command that takes no time, VS Code sometimes tells nothing (seen in 1.139).
      outputText(output).trimEnd() || '(no output, as far as VS Code tells)',
    ].join('\n'),
  );
}

/** The command in one short line, without what looks like a secret. */
export function ranCommandName({ line }: Pick<RanCommand, 'line'>): string {
  const whole = withoutSecrets(line).replaceAll(/\s+/g, ' ').trim();
  return whole.length > maxLine ? `${whole.slice(0, maxLine)}…` : whole;
}
