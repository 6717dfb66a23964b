import type * as vscode from 'vscode';
import { Disposable } from './events';

type Handler = (...args: never[]) => unknown;

const registered = new Map<string, Handler>();
const builtIn = new Map<string, Handler>();

/** Adds a command of VS Code itself. */
export function addCommand(id: string, handler: Handler): void {
  builtIn.set(id, handler);
}

/** What VS Code does and nothing here depends on. */
for (const id of [
  ...['setContext', 'list.focusUp', 'list.toggleSelection', 'revealInExplorer'],
  ...['revealFileInOS', 'workbench.action.openSettings', 'workbench.action.openSettingsJson'],
]) {
  addCommand(id, () => undefined);
}

export const commands = {
  registerCommand: (id, callback, thisArgument) => {
    if (registered.has(id)) {
      throw new Error(`command '${id}' already exists`);
    }
    registered.set(id, callback.bind(thisArgument));
    return new Disposable(() => registered.delete(id));
  },
  executeCommand: async <T>(id: string, ...args: unknown[]) => {
    const handler = registered.get(id) ?? builtIn.get(id);
    if (handler === undefined) {
      throw new Error(`command '${id}' not found`);
    }
    return (await Reflect.apply(handler, undefined, args)) as T;
  },
  getCommands: (withoutInternal = false) =>
    Promise.resolve(
      [...registered.keys(), ...builtIn.keys()].filter(
        (id) => !withoutInternal || !id.startsWith('_'),
      ),
    ),
} satisfies Partial<typeof vscode.commands>;
