import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../../support/project';

/** Whoever starts the extension names what it reads there. */
const extensionPath = path.dirname(inProject('package.json'));

interface Stub {
  /** What `import 'vscode'` gives. */
  readonly api: object;
  /** The commands that were registered. */
  readonly registered: string[];
  /** The messages that the user was shown. */
  readonly told: string[];
  /** The context of an extension with this manifest, which keeps its files in the folder. */
  readonly context: (folder: string, manifest: object) => object;
}

/** Takes every call, and answers each with the same again; is empty where something is listed. */
function anything(): object {
  // Only such a function can be called with `new`.
  return new Proxy(function stub() {}, {
    set: () => true,
    get: (_, key) => {
      if (key === Symbol.iterator) {
        return () => [][Symbol.iterator]();
      }
      if (key === Symbol.toPrimitive) {
        return () => '';
      }
      return key === 'then' ? undefined : anything();
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}

/** An object of VS Code with these members; all others take every call. */
function withMembers(members: object): object {
  return new Proxy(members, {
    get: (target, key): unknown => (key in target ? Reflect.get(target, key) : anything()),
  });
}

class Emitter {
  readonly #listeners = new Set<(event: unknown) => void>();

  readonly event = (listener: (event: unknown) => void): object => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: unknown): void {
    for (const listener of this.#listeners) {
      listener(event);
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

const noEvent = (): object => ({ dispose: () => undefined });

/** VS Code's API without a window, where nothing happens and no setting is set. */
export function vscodeStub(): Stub {
  const registered: string[] = [];
  const told: string[] = [];
  const tell = (text: string): Promise<undefined> => {
    told.push(text);
    return Promise.resolve(undefined);
  };
  const configuration = {
    get: (_: string, otherwise?: unknown) => otherwise,
    inspect: () => undefined,
    has: () => false,
    update: () => Promise.resolve(),
  };
  const view = { visible: false, selection: [], dispose: () => undefined };
  const api = withMembers({
    ExtensionMode: { Production: 1, Development: 2, Test: 3 },
    EventEmitter: Emitter,
    Disposable: {
      from: (...all: { dispose(): unknown }[]) => ({
        dispose: () => {
          for (const one of all) one.dispose();
        },
      }),
    },
    CancellationError: class extends Error {},
    FileSystemError: class extends Error {},
    workspace: withMembers({
      isTrusted: true,
      workspaceFolders: undefined,
      textDocuments: [],
      getConfiguration: () => configuration,
      findFiles: () => Promise.resolve([]),
    }),
    window: withMembers({
      state: { focused: true, active: true },
      visibleTextEditors: [],
      activeTextEditor: undefined,
      terminals: [],
      tabGroups: withMembers({ all: [], activeTabGroup: {} }),
      createTreeView: () => withMembers(view),
      showErrorMessage: tell,
      showWarningMessage: tell,
      showInformationMessage: tell,
    }),
    commands: withMembers({
      registerCommand: (id: string) => {
        registered.push(id);
        return noEvent();
      },
      executeCommand: () => Promise.resolve(undefined),
    }),
    env: withMembers({ language: 'en', remoteName: undefined, uiKind: 1 }),
    l10n: { bundle: undefined },
  });
  return { api, registered, told, context: contextIn };
}

function contextIn(folder: string, manifest: object): object {
  const uri = (name: string): object => {
    const file = path.join(folder, name);
    return { scheme: 'file', fsPath: file, path: file, toString: () => pathToFileURL(file).href };
  };
  return {
    subscriptions: [],
    extensionMode: 3,
    extension: { packageJSON: manifest, extensionPath },
    extensionUri: uri('extension'),
    extensionPath,
    globalStorageUri: uri('global'),
    storageUri: uri('workspace'),
    logUri: uri('log'),
    globalState: state(),
    workspaceState: state(),
    secrets: { ...state(), store: () => Promise.resolve(), onDidChange: noEvent },
    asAbsolutePath: (name: string) => path.join(extensionPath, name),
  };
}

function state(): object {
  const values = new Map<string, unknown>();
  return {
    get: (key: string, otherwise?: unknown) => values.get(key) ?? otherwise,
    keys: () => [...values.keys()],
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
    setKeysForSync: () => undefined,
  };
}
