import assert from 'node:assert/strict';
import { missingCompanions } from '../../../scripts/ready/missing.mjs';

describe('a contribution', () => {
  it('needs a changelog entry and a test if only code changed', () => {
    assert.equal(missingCompanions(['src/model/session/session.ts']).length, 2);
    assert.deepEqual(
      missingCompanions(['src/model/session/session.ts', 'test/unit/a.test.ts', 'CHANGELOG.md']),
      [],
    );
    assert.deepEqual(missingCompanions(['package.nls.de.json']).length, 1);
    assert.deepEqual(
      missingCompanions(['docs/security.md', 'scripts/test.mjs', 'package-lock.json']),
      [],
    );
  });
});
