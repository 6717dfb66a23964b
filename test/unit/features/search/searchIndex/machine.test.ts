import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { indexFileName } from '../../../../../src/features/search/searchIndex/machine';

describe("the machine's index", () => {
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  it('has a name that is found out once', () => {
    const name = indexFileName();
    const read = mock.method(fs, 'readFileSync');
    syncBuiltinESMExports();
    assert.equal(indexFileName(), name);
    assert.equal(read.mock.callCount(), 0);
  });
});
