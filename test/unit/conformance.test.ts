import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { conformancePage, idsOf, pageFile } from '../../scripts/conformance.mjs';

describe('docs/conformance.md', () => {
  it('is what the names of the tests make of it (npm run conformance)', () => {
    assert.equal(readFileSync(pageFile, 'utf8'), conformancePage());
  });

  it('counts ids of version 2 of the protocol for that version only', () => {
    assert.deepEqual(
      idsOf('keeps it (V2-NOTICE-1, V2-MSG-2 to V2-MSG-4, MSG-5, INIT-1 to INIT-2)'),
      [...['V2-NOTICE-1', 'V2-MSG-2', 'V2-MSG-3', 'V2-MSG-4'], ...['MSG-5', 'INIT-1', 'INIT-2']],
    );
  });
});
