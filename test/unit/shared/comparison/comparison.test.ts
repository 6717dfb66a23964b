import assert from 'node:assert/strict';
import { parseFromComparison } from '../../../../src/shared/comparison/comparison';

describe('messages of the page that compares sessions', () => {
  it('SEC-312: are taken only as the page could have sent them', () => {
    assert.deepEqual(parseFromComparison({ type: 'ready', more: 1 }), { type: 'ready' });
    const apply = { type: 'apply', key: '0' };
    assert.deepEqual(parseFromComparison(apply), apply);
    const file = { type: 'file', name: 'a.ts' };
    assert.deepEqual(parseFromComparison(file), file);
    const bad = [
      ...[undefined, 'ready', {}, { type: 'apply' }, { type: 'apply', key: 0 }, { type: 'file' }],
      ...[
        { type: 'run', key: '0' },
        { type: 'toString', key: '0' },
      ],
      ...[
        { type: 'open', key: 'x'.repeat(80_000) },
        { type: 'file', name: 'x'.repeat(80_000) },
      ],
    ];
    for (const message of bad) {
      assert.equal(parseFromComparison(message), undefined, JSON.stringify([message]));
    }
  });
});
