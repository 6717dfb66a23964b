import process from 'node:process';
import { type System, windowsKey } from '../util/process/environment';
import { withoutHostVariables } from '../util/process/hostVariables';
import type { AcpError } from './errors';
import { refusal } from './refusal';

/** Maximum number of arguments: no system accepts more, so no command is refused that could run. */
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

/** Variables that change only how programs print, as long as their values are plain. Others may differ by case only. */
const harmless = /^(?:NO_COLOR|FORCE_COLOR|TERM|CI|LANG|LC_[A-Z]+)$/;
/** No path: some systems load a language from one. */
const plainValue = /^[\w.@-]{0,64}$/;

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
  return changed(env, { platform, environment }).find(([name]) => hidden.test(name))?.[0];
}

/**
 * The variables that nobody agrees to with the command alone: all but those that keep their inherited value, and a few
 * that change only how it prints.
 */
export function ownVariables(
  env: Readonly<Record<string, string>>,
  system: System = { platform: process.platform, environment: process.env },
): readonly (readonly [name: string, value: string])[] {
  return changed(env, system).filter(
    ([name, value]) => !(harmless.test(name) && plainValue.test(value)),
  );
}

function changed(
  env: Readonly<Record<string, string>>,
  { platform, environment }: System,
): readonly [string, string][] {
  const variables = Object.entries(env);
  if (variables.length === 0) {
    return [];
  }
  const getKey = (name: string): string => (platform === 'win32' ? windowsKey(name) : name);
  const inherited = new Map(
    Object.entries(withoutHostVariables(environment)).map(([name, value]) => [getKey(name), value]),
  );
  return variables.filter(([name, value]) => inherited.get(getKey(name)) !== value);
}

function namesIn(...names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})$`, 'i');
}

function refused(message: string): AcpError {
  return refusal('invalidParams', message);
}
