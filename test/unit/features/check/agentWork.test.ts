import assert from 'node:assert/strict';
import {
  getWork,
  hasChanged,
  mayHaveChanged,
} from '../../../../src/features/check/model/agentWork';
import type { Entry } from '../../../../src/shared/transcript/entries';

const edit = { type: 'diff', path: '/a', newText: 'b' } as never;
const session = (edits: number, promptedAt = 1, phase = 'ready') => ({
  phase: { kind: phase } as never,
  turns: { promptedAt },
  changes: { files: [{ path: '/a', edits: Array.from({ length: edits }, () => edit) }] },
});
const turn = (began: number, files: readonly string[] = ['/a']) => ({ began, files }) as never;

describe('what an agent has done since a check', () => {
  const before = { ...getWork(session(1)), at: 100 };

  it('an edit that it reports makes the check stale, a replay doesn’t', () => {
    const none = { turns: [], unrecorded: [] };
    assert.equal(hasChanged(session(1), none, before), false);
    assert.equal(hasChanged(session(2), none, before), true);
    assert.equal(hasChanged(session(2, 1, 'loading'), none, before), false);
  });

  it('so does a recorded turn with changes, and any turn without a record', () => {
    const quiet = { turns: [turn(50), turn(200, [])], unrecorded: [] };
    assert.equal(hasChanged(session(1, 2), quiet, before), false);
    assert.equal(hasChanged(session(1, 2), { ...quiet, turns: [turn(200)] }, before), true);
    assert.equal(hasChanged(session(1, 2), { ...quiet, unrecorded: [turn(200)] }, before), true);
    assert.equal(hasChanged(session(1, 2), undefined, before), true);
    assert.equal(hasChanged(session(1, 1), undefined, before), false);
  });

  it('a turn in which it has only looked isn’t checked', () => {
    const user = { kind: 'user' } as Entry;
    const call = (toolKind: string) => ({ kind: 'toolCall', toolKind }) as Entry;
    assert.equal(mayHaveChanged([user, call('edit'), user, call('read'), call('search')]), false);
    assert.equal(mayHaveChanged([user, call('read'), call('execute')]), true);
    assert.equal(mayHaveChanged([]), false);
  });
});
