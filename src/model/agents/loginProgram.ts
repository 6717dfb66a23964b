import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { hiddenChange } from '../../protocol/commandBounds';
import { literalLine } from '../../shared/literal';
import { isNetworkPath } from '../../util/networkPath';
import { joinedWords } from '../calls/commandLine';
import { cleanText } from '../text/titles';

/** The additions of a login method to the agent's program, or the program that it names instead. */
interface Login {
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Maximum length, in UTF-16 units: the user can't agree to a command that isn't shown in full. */
const maxLogin = 1000;

/** Why this login must not be run, as a sentence for the user; `undefined` when it may be. */
export function loginProblem({ command, args, env }: Login): string | undefined {
  const names = Object.keys(env);
  const texts = [command ?? '', ...args, ...names, ...Object.values(env)];
  if (texts.reduce((sum, text) => sum + text.length, 0) > maxLogin) {
    return l10n.t('Its command is longer than {0} characters.', maxLogin);
  }
  if (texts.some((text) => text.includes('\0')) || names.some((name) => /^$|=/.test(name))) {
    return l10n.t('Its command contains an invalid character or variable name.');
  }
  const name = hiddenChange(env);
  if (name !== undefined) {
    return l10n.t(
      'Its variable {0} could silently change which program runs.',
      literalLine(cleanText(name, 100)),
    );
  }
  return command === undefined || isPlace(command)
    ? undefined
    : l10n.t('Its program must be an absolute path or just a name.');
}

/** A path relative to the workspace would run a program from there. */
function isPlace(command: string): boolean {
  return !isNetworkPath(command) && (path.isAbsolute(command) || !/[\\/:]|^\.*$/.test(command));
}

/** A program that an agent names for logging in, as it was resolved. */
export interface NamedProgram extends Login {
  readonly command: string;
  /** The path with all symbolic links resolved. */
  readonly realPath: string;
  /** The program configured for the agent, likewise resolved; `undefined` when it isn't found. */
  readonly agentPath: string | undefined;
  readonly description: string | undefined;
}

/**
 * The text to show before such a program is run: the literal whole command, and how its program relates
 * to the agent's own.
 */
export function describeProgram(program: NamedProgram): string {
  const { command, args, env, realPath, agentPath, description = '' } = program;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const said = cleanText(description, 300);
  return [
    said && l10n.t('It said: “{0}”.', said),
    literalLine(joinedWords([...variables, command, ...args]) ?? ''),
    realPath !== command &&
      l10n.t('This program is a symbolic link to {0}.', literalLine(realPath)),
    realPath === agentPath
      ? l10n.t('It is the program that also runs the agent.')
      : l10n.t(
          'It is not the agent’s own program ({0}). The agent requested it: run it only if you trust it.',
          literalLine(agentPath ?? '—'),
        ),
  ]
    .filter(Boolean)
    .join('\n\n');
}
