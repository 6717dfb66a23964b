import * as l10n from '@vscode/l10n';
import { isObject } from '../../util/json';

/** The values of the variables `${…}` in an entry of the settings. */
export interface Variables {
  /** Path of the workspace folder: the first one, or the one of the entry. */
  readonly workspaceFolder: string | undefined;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's input values by id, where entries may refer to inputs. */
  readonly inputs?: ReadonlyMap<string, string>;
}

/** An entry that can't be used; the message is the reason, worded for the user. */
export class EntryProblem extends Error {}

export function optionalText(value: unknown, where: string): string | undefined {
  return value === undefined ? undefined : checkedText(value, where);
}

function checkedText(value: unknown, where: string): string {
  if (typeof value !== 'string') {
    throw new EntryProblem(l10n.t('"{0}" must be a string.', where));
  }
  if (value.includes('\0')) {
    throw new EntryProblem(l10n.t('"{0}" contains a NUL character.', where));
  }
  return value;
}

/** `where` names the list in error messages. */
export function textList(value: unknown, where: string): string[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new EntryProblem(
      l10n.t('"{0}" must be an array of strings, one for each argument.', where),
    );
  }
  return value.map((item, index) => checkedText(item, `${where}[${index}]`));
}

export function textMap(value: unknown, where: string): Record<string, string> {
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    throw new EntryProblem(l10n.t('"{0}" must be an object that maps names to strings.', where));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, checkedText(text, `${where}.${name}`)]),
  );
}

/** Reads a map of environment variables. */
export function environment(value: unknown, where: string): Record<string, string> {
  const variables = textMap(value, where);
  const bad = Object.keys(variables).find(
    (name) => name === '' || name.includes('=') || name.includes('\0'),
  );
  if (bad !== undefined) {
    throw new EntryProblem(l10n.t('"{0}" contains an invalid variable name: "{1}".', where, bad));
  }
  return variables;
}

const variablePattern = /\$\{([^}]*)\}/g;

/** The ids of the inputs that a text refers to as `${input:id}`. */
export function inputIds(text: string): readonly string[] {
  return [...text.matchAll(variablePattern)].flatMap(([, name = '']) =>
    name.startsWith('input:') ? [name.slice('input:'.length)] : [],
  );
}

/**
 * Replaces every `${…}`, without expanding the inserted values. `where` names the text in error
 * messages.
 */
export function substitute(text: string, where: string, variables: Variables): string {
  return text.replace(variablePattern, (_, name: string) => {
    const found = lookUp(name, variables);
    if (found === undefined) {
      throw new EntryProblem(`"${where}": ${missing(name, variables)}`);
    }
    return found;
  });
}

function lookUp(name: string, variables: Variables): string | undefined {
  if (name === 'workspaceFolder') {
    return variables.workspaceFolder;
  }
  if (name === 'userHome') {
    return variables.userHome;
  }
  if (name.startsWith('input:')) {
    return variables.inputs?.get(name.slice('input:'.length));
  }
  return name.startsWith('env:') ? variables.env[name.slice('env:'.length)] : undefined;
}

function missing(name: string, { inputs }: Variables): string {
  if (name === 'workspaceFolder') {
    return l10n.t('{0} needs an open folder.', `\${${name}}`);
  }
  if (name.startsWith('env:')) {
    return l10n.t('the environment variable {0} isn’t set.', name.slice('env:'.length));
  }
  if (inputs !== undefined && name.startsWith('input:')) {
    return l10n.t('no value was entered for the input {0}.', name.slice('input:'.length));
  }
  return l10n.t(
    'Unknown variable {0}. Use {1}, {2}, or {3}.',
    ...[name, 'workspaceFolder', 'userHome', 'env:NAME'].map((known) => `\${${known}}`),
  );
}
