import assert from 'node:assert/strict';
import { readRecords } from '../../../../src/model/marks/markRecords';
import { SessionMarks } from '../../../../src/model/marks/marks';
import type { KeyedStorage } from '../../../../src/model/ports';
import { memento } from '../fakePlatform';
import { silentLog } from '../fakes';

const session = { agentId: 'agent', sessionId: 's1' };
const other = { agentId: 'agent', sessionId: 's2' };

function open(storage: KeyedStorage): SessionMarks {
  return new SessionMarks(storage, silentLog);
}

describe('SessionMarks: origins of branches', () => {
  it('keeps where a session was forked, until it is deleted, and never from itself', async () => {
    const disk = memento();
    const marks = open(disk);
    const origin = {
      sessionId: 's1',
      turn: 4,
      prompt: `Go on\n${'x'.repeat(200)}`,
      held: 'before',
    } as const;
    await marks.setOrigin(other, origin);
    await marks.setOrigin({ agentId: 'agent', sessionId: 's3' }, { ...origin, turn: 2 });
    await marks.setOrigin(session, origin);
    const later = open(disk);
    assert.equal(later.get('agent', 's1').origin, undefined, 'not from itself');
    assert.match(later.get('agent', 's2').origin?.prompt ?? '', /^Go on x{70,80}…$/);
    const branches = (): unknown[] =>
      later.getBranches('agent', 's1').map(({ sessionId }) => sessionId);
    assert.deepEqual(branches(), ['s3', 's2'], 'by turn');
    assert.deepEqual(later.getBranches('another', 's1'), []);
    await later.forget(other);
    assert.deepEqual(branches(), ['s3']);
    assert.equal(open(disk).get('agent', 's2').origin, undefined);
  });

  it('T-184: keeps a session of another agent that one continues, even with the same id', async () => {
    const disk = memento();
    const from = { ...session, turn: 2, prompt: 'Go on', held: 'text' } as const;
    const marks = open(disk);
    await marks.setOrigin(session, from);
    assert.equal(marks.get('agent', 's1').origin, undefined, 'not from itself');
    await marks.setOrigin({ agentId: 'codex', sessionId: 's1' }, from);
    const later = open(disk);
    assert.deepEqual(later.get('codex', 's1').origin, from);
    assert.deepEqual(later.getBranches('agent', 's1'), [
      { agentId: 'codex', sessionId: 's1', origin: from },
    ]);
    assert.deepEqual(later.getBranches('codex', 's1'), []);
  });

  it('reads only origins that could have been written', () => {
    const stored = { session: 's1', turn: 4, prompt: 'Go on', held: 'before' };
    const read = (origin: unknown) =>
      [
        ...readRecords({
          version: 1,
          sessions: [{ agent: 'a', session: 's', origin: [origin, 5] }],
        }),
      ].map(([, record]) => record.origin?.value);
    assert.deepEqual(read(stored), [{ sessionId: 's1', turn: 4, prompt: 'Go on', held: 'before' }]);
    assert.deepEqual(read(null), [null]);
    for (const bad of [
      'x',
      [],
      { ...stored, session: 7 },
      { ...stored, session: '' },
      { ...stored, session: 'x'.repeat(4_000) },
      { ...stored, agent: 7 },
      { ...stored, agent: '' },
      { ...stored, agent: 'x'.repeat(4_000) },
      { ...stored, turn: 0 },
      { ...stored, turn: 1.5 },
      { ...stored, turn: 2_000_000 },
      { ...stored, prompt: undefined },
      { ...stored, prompt: 'x'.repeat(200) },
      { ...stored, held: 'toString' },
    ]) {
      assert.deepEqual(read(bad), [], JSON.stringify(bad).slice(0, 80));
    }
  });
});
