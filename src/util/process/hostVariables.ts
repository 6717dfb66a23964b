import type { Environment } from './environment';

/**
 * Variables that an editor sets for itself and its programs; VS Code removes most of them from
 * terminals as well.
 */
const hostNames =
  /^(?:.*_)?VSCODE_|^(?:ELECTRON|CODE_SERVER|GDK_PIXBUF)_|^SNAP(?:_|$)|^CHROME_(?:DESKTOP|CRASHPAD_PIPE_NAME)$|^ORIGINAL_XDG_CURRENT_DESKTOP$|^APPLICATION_?INSIGHTS_(?:NO_DIAGNOSTIC_CHANNEL|CONFIGURATION_CONTENT)$/i;

/**
 * The user's variables, removed only if they refer to a part of the editor: its Git, its link
 * helper, its debugger.
 */
const borrowedNames: ReadonlyMap<string, RegExp> = new Map([
  ['GIT_ASKPASS', /[\\/]extensions[\\/]git[\\/]/],
  ['SSH_ASKPASS', /[\\/]extensions[\\/]git[\\/]/],
  ['GIT_EDITOR', /[\\/]extensions[\\/]git[\\/]/],
  ['BROWSER', /[\\/]bin[\\/]helpers[\\/]browser\.(?:sh|cmd)$/],
  // The user's memory limits and certificates are kept, but the editor's debugger must not attach
  // to other programs.
  ['NODE_OPTIONS', /js-debug|--inspect/],
]);

/** code-server receives its password in variables whose names aren't specific to it. */
const codeServerSecrets = new Set(['PASSWORD', 'HASHED_PASSWORD']);

/**
 * The environment that the editor was started with, as far as it can be reconstructed: without the
 * editor's variables, with which a program could pass for a part of the editor, run as it, or read
 * its secrets.
 */
export function withoutHostVariables(environment: Environment): Environment {
  const names = Object.keys(environment);
  const isCodeServer = names.some((name) => /^CODE_SERVER_/i.test(name));
  const own = names.filter((name) => {
    const upper = name.toUpperCase();
    const borrowed = borrowedNames.get(upper)?.test(environment[name] ?? '') === true;
    return !hostNames.test(name) && !borrowed && !(isCodeServer && codeServerSecrets.has(upper));
  });
  return Object.fromEntries(own.map((name) => [name, environment[name]]));
}
