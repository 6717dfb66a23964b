import process from 'node:process';
import { type Environment, mergeEnvironments } from './environment';
import { withoutHostVariables } from './hostVariables';

/**
 * The environment that a program gets: this process's without the editor's variables, and what is added for the
 * program; later ones win. `without`: variables of this process that it doesn't get.
 */
export function childEnvironment(
  added: readonly Environment[],
  without?: RegExp,
): Record<string, string> {
  const own = Object.entries(withoutHostVariables(process.env)).filter(
    ([name]) => without?.test(name) !== true,
  );
  return mergeEnvironments([Object.fromEntries(own), ...added]);
}
