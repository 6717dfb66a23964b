import process from 'node:process';
import { type System, windowsKey } from '../util/process/environment';
import { withoutHostVariables } from '../util/process/hostVariables';
import type { AcpError } from './errors';
import { refusal } from './refusal';

/** More arguments than any system accepts, so that no command is refused that could run. */
const maxArguments = 100_000;
const maxVariables = 1000;
/** UTF-16 units of a command with its arguments, folder and variables. */
const maxUnits = 2 * 1024 * 1024;

/**
 * Environment variables that change which program runs, or that make a loader, shell or language
 * runtime run something else first. A user who allows a command has seen its command line, but not
 * these.
 */
const hidden = namesIn(
  'PATH|PATHEXT|COMSPEC',
  '(?:LD|DYLD|ELECTRON)_.*',
  'NODE_OPTIONS|BASH_ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|PS4|BASH_FUNC_.*',
  'PYTHONSTARTUP|PYTHONHOME|PERL5OPT|PERL5DB|RUBYOPT|DOTNET_STARTUP_HOOKS',
  'JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS',
  'GIT_SSH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_CONFIG_.*|GIT_EXEC_PATH',
  // Where Windows has its programs, and PowerShell its modules.
  'SYSTEMROOT|WINDIR|PSMODULEPATH',
);

/**
 * Further variables with such an effect that projects need to set for good reasons. They aren't
 * refused, but the user decides about them: a command that sets one is always shown with it.
 */
const shown = namesIn('ENV|IFS|PROMPT_COMMAND|PYTHONPATH|PERL5LIB|RUBYLIB|GIT_.*');

export function checkCommandLists(args: readonly unknown[], env: readonly unknown[]): void {
  if (args.length > maxArguments) {
    throw refused(`The command has ${args.length} arguments; at most ${maxArguments} are taken`);
  }
  if (env.length > maxVariables) {
    throw refused(`The command has ${env.length} variables; at most ${maxVariables} are taken`);
  }
}

interface CheckedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Refuses a command that is too large, or that changes such a variable from its inherited value. */
export function checkCommand({ command, args, env, cwd = '' }: CheckedCommand): void {
  const variables = Object.entries(env);
  const units = [command, cwd, ...args, ...variables.flat()].reduce(
    (sum, text) => sum + text.length,
    0,
  );
  if (units > maxUnits) {
    throw refused(`The command is ${units} characters long; at most ${maxUnits} are taken`);
  }
  const name = hiddenChange(env);
  if (name !== undefined) {
    const text = `The variable ${name.slice(0, 100)} would change unseen what the command runs`;
    throw refused(`${text}; a program such as env can set it in the command line itself`);
  }
}

/**
 * The first variable that would change, unseen, what a command runs; a variable that keeps its
 * inherited value doesn't count.
 */
export function hiddenChange(
  env: Readonly<Record<string, string>>,
  { platform, environment }: System = { platform: process.platform, environment: process.env },
): string | undefined {
  const risky = Object.entries(env).filter(([name]) => hidden.test(name));
  if (risky.length === 0) {
    return undefined;
  }
  const keyOf = (name: string): string => (platform === 'win32' ? windowsKey(name) : name);
  const inherited = new Map(
    Object.entries(withoutHostVariables(environment)).map(([name, value]) => [keyOf(name), value]),
  );
  return risky.find(([name, value]) => inherited.get(keyOf(name)) !== value)?.[0];
}

/** Whether one of the variables can make another program run than the command line says. */
export function mayChangeProgram(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).some((name) => hidden.test(name) || shown.test(name));
}

function namesIn(...names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})$`, 'i');
}

function refused(message: string): AcpError {
  return refusal('invalidParams', message);
}
