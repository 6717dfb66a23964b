import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { conformancePage, pageFile } from '../../scripts/conformance.mjs';

describe('docs/conformance.md', () => {
  it('is what the names of the tests make of it (npm run conformance)', () => {
    assert.equal(readFileSync(pageFile, 'utf8'), conformancePage());
  });
});
