import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { inProject } from '../../../support/project';
import { updateKinds } from '../../protocol/v1/updateKinds';
import { transcriptOf } from '../updates';

/**
 * Each `<name>.jsonl` has one normalized update per line, in the shapes and the order of a real
 * agent; `<name>.golden.json` has the resulting entries after the load. After an intended change,
 * run with UPDATE_GOLDEN=1 and review the diff.
 */
const folder = inProject('test/fixtures/updates');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -'.jsonl'.length));

function mapsAsObjects(_key: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;
}

describe('Golden transcripts', () => {
  for (const name of names) {
    it(`UP-2: ${name}`, () => {
      const lines = readFileSync(path.join(folder, `${name}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n');
      const transcript = transcriptOf(...lines.map((line) => JSON.parse(line) as SessionUpdate));
      transcript.settle();
      const entries = `${JSON.stringify(transcript.entries, mapsAsObjects, 2)}\n`;
      const golden = path.join(folder, `${name}.golden.json`);
      if (process.env['UPDATE_GOLDEN'] === '1') {
        writeFileSync(golden, entries);
      }
      assert.equal(entries, readFileSync(golden, 'utf8'));
    });
  }

  it('UP-2: together they have every kind of update', () => {
    const kinds = names.flatMap((name) =>
      [
        ...readFileSync(path.join(folder, `${name}.jsonl`), 'utf8').matchAll(
          /"sessionUpdate":"(\w+)"/g,
        ),
      ].map(([, kind]) => kind),
    );
    assert.deepEqual([...new Set(kinds)].sort(), [...updateKinds].sort());
  });
});
