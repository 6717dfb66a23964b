import assert from 'node:assert/strict';
import type { TurnReview } from '../../../../src/model/changes/reviews';
import { changedInTurn } from '../../../../src/model/changes/turnChanges';
import { until } from '../../../support/until';
import { prompted, sessionBench } from '../sessionBench';
import { call } from '../updates';

const edit = (id: string, ...paths: readonly string[]) =>
  call(id, {
    kind: 'edit',
    status: 'completed',
    content: paths.map((path) => ({ type: 'diff', path, oldText: 'a', newText: 'b' })),
  });

function recorded(turn: number, began: number, files: readonly string[]): TurnReview {
  return { turn, began, files, prompt: 'go', added: 1, removed: 1, state: 'pending' };
}

describe('what a running turn has changed', () => {
  it('is what its calls say and what is recorded of it, not what was changed before', async () => {
    const made = sessionBench();
    const { session } = made;
    const first = await prompted(made);
    first.connection.send('s0', edit('a', '/w/a'));
    first.prompt.resolve('end_turn');
    await until(() => session.turns.current.kind === 'idle');
    assert.deepEqual(changedInTurn(session, undefined), ['/w/a']);
    await prompted(made, 'again');
    assert.deepEqual(changedInTurn(session, undefined), []);
    const cwd = session.info.cwd;
    first.connection.send('s0', edit('b', '/w/b', 'c'));
    first.connection.send(
      's0',
      call('d', {
        status: 'completed',
        content: [{ type: 'fileChange', path: '/w/gone', operation: 'delete' }],
      }),
    );
    const { current } = session.turns;
    assert.ok(current.kind === 'running' && current.began !== undefined);
    const { began } = current;
    const before = recorded(1, began - 60_000, ['/w/a']);
    assert.deepEqual(changedInTurn(session, { turns: [before] }), ['/w/b', `${cwd}/c`]);
    const now = recorded(2, began - 100, ['/w/b', '/w/made']);
    assert.deepEqual(changedInTurn(session, { turns: [before, now] }), [
      ...['/w/b', `${cwd}/c`, '/w/made'],
    ]);
  });
});
