import { isObject } from '../util/json';

/** What `${…}` in an entry of the settings may stand for. */
export interface Variables {
  /** Path of the workspace folder: the first one, or that of the entry. */
  readonly workspaceFolder: string | undefined;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a person has given, by id, where entries may ask for it. */
  readonly inputs?: ReadonlyMap<string, string>;
}

/** An entry that can't be used; the message is the reason, in words for a person. */
export class EntryProblem extends Error {}

export function optionalText(value: unknown, where: string): string | undefined {
  return value === undefined ? undefined : checkedText(value, where);
}

function checkedText(value: unknown, where: string): string {
  if (typeof value !== 'string') {
    throw new EntryProblem(`"${where}" must be text.`);
  }
  if (value.includes('\0')) {
    throw new EntryProblem(`"${where}" has a NUL character in it.`);
  }
  return value;
}

/** `where` names the list, for the reason of a problem. */
export function textList(value: unknown, where: string): string[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new EntryProblem(`"${where}" must be a list of texts, one for each argument.`);
  }
  return value.map((item, index) => checkedText(item, `${where}[${index}]`));
}

export function textMap(value: unknown, where: string): Record<string, string> {
  if (value === undefined) {
    return {};
  }
  if (!isObject(value)) {
    throw new EntryProblem(`"${where}" must be an object, from name to text.`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, checkedText(text, `${where}.${name}`)]),
  );
}

/** A map of environment variables. */
export function environment(value: unknown, where: string): Record<string, string> {
  const variables = textMap(value, where);
  const bad = Object.keys(variables).find(
    (name) => name === '' || name.includes('=') || name.includes('\0'),
  );
  if (bad !== undefined) {
    throw new EntryProblem(`"${where}" has a name that no variable can have: "${bad}".`);
  }
  return variables;
}

const variablePattern = /\$\{([^}]*)\}/g;

/** The ids of the inputs that a text asks for as `${input:id}`. */
export function inputIds(text: string): readonly string[] {
  return [...text.matchAll(variablePattern)].flatMap(([, name = '']) =>
    name.startsWith('input:') ? [name.slice('input:'.length)] : [],
  );
}

/** Replaces every `${…}`, once: what is put in is not looked at again. `where` names the text in problems. */
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
    return '${workspaceFolder} needs an open folder.';
  }
  if (name.startsWith('env:')) {
    return `the environment variable ${name.slice('env:'.length)} isn't set.`;
  }
  if (inputs !== undefined && name.startsWith('input:')) {
    return `the input ${name.slice('input:'.length)} wasn't given.`;
  }
  return `\${${name}} isn't known. There are \${workspaceFolder}, \${userHome} and \${env:NAME}.`;
}
