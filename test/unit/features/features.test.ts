import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';
import { contributes } from '../../../package.json';
import {
  commandIds,
  contextKeys,
  innerCommandIds,
  settingKeys,
  settingsSection,
} from '../../../src/platform/ids';
import { inProject } from '../../support/project';

const program = inProject('out/unit/features/startWithout.main.mjs');
const names = readdirSync(inProject('src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What the conditions of menus, keys, views and steps ask of the extension, apart from settings and what has the focus. */
function askedContexts(): readonly string[] {
  const conditions = JSON.stringify(contributes).matchAll(
    /"(?:when|enablement)":"[^"]+"|onContext:[^"]+/g,
  );
  const keys = [...conditions].flatMap(
    ([asked]) => asked.match(/(?<!config\.|[!=]= '?)acpSessions\.\w+/g) ?? [],
  );
  return [...new Set(keys)].sort();
}

const declared = [...contributes.commands.map(({ command }) => command), ...innerCommandIds].sort();

interface Started {
  readonly features: readonly string[];
  readonly commands: readonly string[];
  readonly removedIds: readonly string[];
  readonly settings: readonly string[];
  readonly contexts: readonly string[];
  readonly registered: readonly string[];
  readonly told: readonly string[];
  readonly failed: readonly string[];
}

/** What was started without each of these. */
async function startWithout(features: readonly string[]): Promise<Started[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...features]);
  return JSON.parse(stdout) as Started[];
}

describe('features', () => {
  let whole: Started;
  const without = new Map<string, Started>();
  before(async function () {
    this.timeout(60_000);
    const [first, ...others] = await startWithout(['', ...names]);
    assert.ok(first !== undefined);
    whole = first;
    for (const [at, started] of others.entries()) {
      without.set(names[at] ?? '', started);
    }
  });

  it('are started after the core, and nothing fails', () => {
    assert.deepEqual([whole.told, whole.failed], [[], []]);
    assert.deepEqual([...whole.registered].sort(), declared);
  });

  it('and the core have each command once', () => {
    const core = Object.values(commandIds);
    assert.deepEqual([...core, ...whole.commands].sort(), declared);
  });

  it('and the core have each setting of the manifest once', () => {
    const owned = [...Object.values(settingKeys), ...whole.settings];
    const properties = Object.keys(contributes.configuration.properties);
    assert.deepEqual(owned.map((key) => `${settingsSection}.${key}`).sort(), properties.sort());
  });

  it('and the core tell each condition of the manifest what it asks, and nothing else', () => {
    const told = [...Object.values(contextKeys), ...whole.contexts];
    assert.deepEqual(told.sort(), askedContexts());
  });

  for (const name of names) {
    it(`can be left out: the extension starts without ${name}, and all other commands have a function`, () => {
      const started = without.get(name);
      assert.ok(started !== undefined);
      const { features, commands, removedIds, registered, told, failed } = started;
      assert.deepEqual([told, failed], [[], []]);
      assert.deepEqual([...features, name].sort(), [...names].sort());
      assert.deepEqual([...registered].sort(), declared);
      assert.deepEqual([...commands, ...removedIds].sort(), [...whole.commands].sort());
    });
  }
});
