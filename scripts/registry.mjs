// @ts-check
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from './json.mjs';
import { projectFolder } from './paths.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce } from './setup/steps.mjs';

const snapshot = path.join(projectFolder, 'src/features/registry/model/snapshot.json');
/** What the extension reads of an entry. */
const keys = new Set([
  ...['id', 'name', 'version', 'description', 'repository', 'website', 'authors', 'license'],
  'distribution',
]);

/** Writes the bundled list of agents from the registry at an address or in a file. */
async function writeSnapshot() {
  const [source] = process.argv.slice(2);
  if (source === undefined) throw new Error('Name the address or the file of a registry.');
  const text = /^https?:/.test(source)
    ? await (await fetch(source)).text()
    : await readFile(source, 'utf8');
  /** @type {{ agents: Record<string, unknown>[] }} */
  const registry = parseJson(text);
  const agents = registry.agents.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => keys.has(key))),
  );
  await writeFile(snapshot, `${JSON.stringify({ version: '1.0.0', agents }, null, 2)}\n`);
  announce(`${path.relative(projectFolder, snapshot)}: ${agents.length} agents.`);
}

await writeSnapshot().catch(reportAndFail);
