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
 * Starts the built extension without a window and without the feature that is named, and prints as JSON what is said to
 * the user, which features there are, and which commands have a function.
 */
const [, , removed = ''] = process.argv;
const dist = inProject('dist');
const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-sessions-without-'));
const stub = vscodeStub();

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
const loader = Module as unknown as Loader;
const load = loader._load.bind(loader);
const features: string[] = [];
const commands: string[] = [];
const removedIds: string[] = [];
const settings: string[] = [];
const contexts: string[] = [];
loader._load = (request, ...rest) => {
  if (request === 'vscode') {
    return stub.api;
  }
  const loaded = load(request, ...rest);
  if (request.endsWith('/features.js')) {
    watch(featuresIn(loaded as object));
  }
  return loaded;
};

/** The list in the part's exports, which has the module itself as one of them if other parts share it. */
function featuresIn(exported: object): Record<string, Feature> {
  const modules: readonly unknown[] = [exported, ...(Object.values(exported) as unknown[])];
  const found = modules.find((module) => 'features' in Object(module));
  assert.ok(found !== undefined);
  return (found as { features: Record<string, Feature> }).features;
}

/** Takes the feature out of the list, and notes the others with the functions of their commands. */
function watch(listed: Record<string, Feature>): void {
  for (const [name, feature] of Object.entries(listed)) {
    if (name === removed) {
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

const extension = Module.createRequire(import.meta.url)(path.join(dist, 'extension.js')) as {
  activate(context: unknown): Promise<unknown>;
  deactivate(): Promise<void>;
};
const failed: string[] = [];
process.on('unhandledRejection', (error) => failed.push(String(error)));
const context = stub.context(folder, manifest);
await extension.activate(context);
await extension.deactivate();
rmSync(folder, { recursive: true, force: true });
const { registered, told } = stub;
process.stdout.write(
  JSON.stringify({ features, commands, removedIds, settings, contexts, registered, told, failed }),
  () => process.exit(),
);
