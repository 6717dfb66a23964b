import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { contributes } from '../../../package.json';
import { isObject } from '../../../src/util/json';
import { ConfigurationTarget } from './enums';
import { EventEmitter } from './events';

type Values = Map<string, unknown>;

interface Contributed {
  readonly default?: unknown;
  readonly scope?: string;
}

const contributed = new Map<string, Contributed>(
  Object.entries(contributes.configuration.properties),
);
/** Defaults of VS Code that the extension reads. */
const ofVsCode = new Map<string, unknown>([['files.enableTrash', true]]);
const user: Values = new Map();
const workspace: Values = new Map();
const changed = new EventEmitter<vscode.ConfigurationChangeEvent>();
/** Scopes that a workspace can't set. */
const usersAlone: ReadonlySet<string> = new Set(['machine', 'application']);

export const onDidChangeConfiguration = changed.event;

/** Removes what tests have set. */
export function resetConfiguration(): void {
  user.clear();
  workspace.clear();
}

/** Returns the settings; as in VS Code, a changed one is known, and told to all, before the change resolves. */
export function getConfiguration(section = ''): vscode.WorkspaceConfiguration {
  const full = (key: string): string => [section, key].filter((part) => part !== '').join('.');
  const inspected = (key: string) => {
    const name = full(key);
    const defaultValue = contributed.get(name)?.default ?? ofVsCode.get(name);
    return {
      key: name,
      ...copiesOf({
        defaultValue,
        globalValue: user.get(name),
        workspaceValue: workspace.get(name),
      }),
    };
  };
  const get = (key: string, otherwise?: unknown): unknown => {
    const { defaultValue, globalValue, workspaceValue } = inspected(key);
    return (
      [defaultValue, globalValue, workspaceValue]
        .filter((value) => value !== undefined)
        .reduce(merged, undefined) ?? otherwise
    );
  };
  const configuration = {
    get,
    has: (key: string) => get(key) !== undefined,
    inspect: inspected,
    update: async (
      key: string,
      value: unknown,
      target?: vscode.ConfigurationTarget | boolean | null,
    ) => {
      const name = full(key);
      const isUsers = target === true || target === ConfigurationTarget.Global;
      const { scope = 'window' } = contributed.get(name) ?? {};
      if (!isUsers && usersAlone.has(scope)) {
        throw new Error(`Unable to write ${name} to Workspace Settings: its scope is ${scope}.`);
      }
      await new Promise((resolve) => setImmediate(resolve));
      set(isUsers ? user : workspace, name, value);
    },
    /** VS Code's has the values as members: tests look through their JSON. */
    toJSON: () => Object.fromEntries(keysIn(section).map((key) => [key, get(key)])),
  };
  return configuration as vscode.WorkspaceConfiguration;
}

function keysIn(section: string): readonly string[] {
  return [contributed, ofVsCode, user, workspace]
    .flatMap((values) => [...values.keys()])
    .filter((name) => name.startsWith(`${section}.`))
    .map((name) => name.slice(section.length + 1));
}

function set(values: Values, name: string, value: unknown): void {
  if (isDeepStrictEqual(values.get(name), value)) {
    return;
  }
  if (value === undefined) {
    values.delete(name);
  } else {
    values.set(name, structuredClone(value));
  }
  changed.fire({
    affectsConfiguration: (section) => name === section || name.startsWith(`${section}.`),
  });
}

function copiesOf<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(structuredClone(values)).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

/** Objects of all levels are merged, other values replace each other. */
function merged(low: unknown, high: unknown): unknown {
  if (!isObject(low) || !isObject(high)) {
    return high;
  }
  const all: Record<string, unknown> = { ...low };
  for (const [key, value] of Object.entries(high)) {
    all[key] = key in all ? merged(all[key], value) : value;
  }
  return all;
}
