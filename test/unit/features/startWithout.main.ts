import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import manifest from '../../../package.json';
import { inProject } from '../../support/project';
import { vscodeStub } from './vscodeStub';

/**
 * Starts the built extension without a window, each time without one of the features that are named, and prints as JSON
 * what is said to the user, which features there are, and which commands have a function. It is loaded anew each time,
 * in one process, since most of the time of starting one is Node's.
 */
const [, , ...all] = process.argv;
const dist = inProject('dist');
const require = Module.createRequire(import.meta.url);

type Names = Readonly<Record<string, string>>;
type Feature = {
  readonly commandIds: Names;
  readonly settingKeys?: Names;
  readonly contextKeys?: Names;
  register: (core: unknown) => { readonly commands: Readonly<Record<string, unknown>> };
};
interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

/** What is seen of the features and their commands while the extension starts. */
class Watched {
  readonly seen = {
    features: [] as string[],
    commands: [] as string[],
    removedIds: [] as string[],
    settings: [] as string[],
    contexts: [] as string[],
  };
  readonly #removed: string;

  constructor(removed: string) {
    this.#removed = removed;
  }

  /** Takes the feature out of the list, and notes the others with the functions of their commands. */
  watch(listed: Record<string, Feature>): void {
    const { features, commands, removedIds, settings, contexts } = this.seen;
    for (const [name, feature] of Object.entries(listed)) {
      if (name === this.#removed) {
        removedIds.push(...Object.values(feature.commandIds));
        Reflect.deleteProperty(listed, name);
      } else {
        features.push(name);
        const { register, settingKeys = {}, contextKeys = {} } = feature;
        settings.push(...Object.values(settingKeys));
        contexts.push(...Object.values(contextKeys));
        feature.register = (core) => {
          const made = register(core);
          for (const [id, command] of Object.entries(made.commands)) {
            assert.equal(typeof command, 'function', id);
            commands.push(id);
          }
          return made;
        };
      }
    }
  }
}

/** The list in the part's exports, which has the module itself as one of them if other parts share it. */
function featuresIn(exported: object): Record<string, Feature> {
  const modules: readonly unknown[] = [exported, ...(Object.values(exported) as unknown[])];
  const found = modules.find((module) => 'features' in Object(module));
  assert.ok(found !== undefined);
  return (found as { features: Record<string, Feature> }).features;
}

const loader = Module as unknown as Loader;
const load = loader._load.bind(loader);
let failed: string[] = [];
process.on('unhandledRejection', (error) => failed.push(String(error)));
const started = [];
for (const removed of all) {
  started.push(await startWithout(removed));
}
process.stdout.write(JSON.stringify(started), () => process.exit());

async function startWithout(removed: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-sessions-without-'));
  const stub = vscodeStub();
  const watched = new Watched(removed);
  loader._load = (request, ...rest) => {
    if (request === 'vscode') {
      return stub.api;
    }
    const loaded = load(request, ...rest);
    if (request.endsWith('/features.js')) {
      watched.watch(featuresIn(loaded as object));
    }
    return loaded;
  };
  failed = [];
  for (const file of Object.keys(require.cache).filter((file) => file.startsWith(dist))) {
    Reflect.deleteProperty(require.cache, file);
  }
  const extension = require(path.join(dist, 'extension.js')) as {
    activate(context: unknown): Promise<unknown>;
    deactivate(): Promise<void>;
  };
  await extension.activate(stub.context(folder, manifest));
  await extension.deactivate();
  rmSync(folder, { recursive: true, force: true });
  const { registered, told } = stub;
  return { ...watched.seen, registered, told, failed };
}
