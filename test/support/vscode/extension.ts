import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import { copySampleProject } from '../../../scripts/host/sample.mjs';
import { startingHere } from '../agentHere';
import { inProject } from '../project';
import { resetConfiguration } from './configuration';
import { ExtensionKind, ExtensionMode } from './enums';
import { EventEmitter } from './events';
import { allTabs, closeTabs } from './tabs';
import { Uri } from './uri';
import { openFolder } from './workspace';

/** `scripts/tests/inputs.mjs` knows what else the extension reads there. */
const extensionPath = path.dirname(inProject('package.json'));

class Memento implements vscode.Memento {
  readonly #values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, otherwise?: T): T {
    return (this.#values.get(key) ?? otherwise) as T;
  }

  /** Stores a value; as in VS Code, it is there at once, and a copy of it is kept. */
  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      this.#values.delete(key);
    } else {
      this.#values.set(key, JSON.parse(JSON.stringify(value)));
    }
    return Promise.resolve();
  }

  setKeysForSync(): void {
    // Nothing is synchronized.
  }
}

class Secrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  keys(): Promise<string[]> {
    return Promise.resolve([...this.#values.keys()]);
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}

/** The extension in a window with a copy of the sample project, from its activation to the end of a test file. */
class RunningExtension {
  readonly exports: Promise<unknown>;
  readonly #folder = mkdtemp(path.join(os.tmpdir(), 'acp-sessions-window-'));
  readonly #subscriptions: { dispose(): unknown }[] = [];

  constructor() {
    this.exports = this.#activate();
  }

  async end(): Promise<void> {
    const { deactivate } = await import('../../../src/extension');
    await this.exports;
    await deactivate();
    for (const subscription of this.#subscriptions.reverse()) {
      subscription.dispose();
    }
    closeTabs(allTabs());
    openFolder(undefined);
    resetConfiguration();
    await rm(await this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  async #activate(): Promise<unknown> {
    const folder = await this.#folder;
    openFolder(await copySampleProject(path.join(folder, 'projects')));
    const { activate } = await import('../../../src/extension');
    const api = await activate(contextIn(folder, this.#subscriptions));
    if (api !== undefined) {
      api.programs.start = startingHere(api.programs.start);
    }
    return api;
  }
}

let running: RunningExtension | undefined;

const englishOf = new Map(Object.entries<string>(texts));
/** The manifest with its texts in English. */
const translated: unknown = JSON.parse(
  JSON.stringify(manifest).replaceAll(/"%([\w.]+)%"/g, (_, name: string) =>
    JSON.stringify(englishOf.get(name) ?? name),
  ),
);

const extension = {
  id: `${manifest.publisher}.${manifest.name}`,
  extensionUri: Uri.file(extensionPath),
  extensionPath,
  packageJSON: translated,
  extensionKind: ExtensionKind.Workspace as vscode.ExtensionKind,
  get isActive() {
    return running !== undefined;
  },
  get exports(): unknown {
    return exported;
  },
  activate: async (): Promise<unknown> => {
    running ??= new RunningExtension();
    exported = await running.exports;
    return exported;
  },
};

let exported: unknown;

/** Ends the extension if it was activated; the next file starts another one. */
async function endExtension(): Promise<void> {
  const ended = running;
  running = undefined;
  exported = undefined;
  await ended?.end();
}

/** Tells the process that runs the test files, which doesn't know this module. */
Object.assign(globalThis, { endTestedExtension: endExtension });

export const extensions = {
  getExtension: <T>(id: string) =>
    id === extension.id ? (extension as vscode.Extension<T>) : undefined,
} satisfies Partial<typeof vscode.extensions>;

function contextIn(
  folder: string,
  subscriptions: { dispose(): unknown }[],
): vscode.ExtensionContext {
  const storageUri = Uri.file(path.join(folder, 'storage'));
  const globalStorageUri = Uri.file(path.join(folder, 'globalStorage'));
  const context = {
    ...{ extension, subscriptions, storageUri, globalStorageUri, extensionPath },
    extensionUri: extension.extensionUri,
    extensionMode: ExtensionMode.Test as vscode.ExtensionMode,
    globalState: new Memento(),
    workspaceState: new Memento(),
    secrets: new Secrets(),
    logUri: Uri.file(path.join(folder, 'log')),
    asAbsolutePath: (relative: string) => path.join(extensionPath, relative),
  } satisfies Partial<vscode.ExtensionContext>;
  return context as unknown as vscode.ExtensionContext;
}
