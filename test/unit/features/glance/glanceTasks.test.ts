import assert from 'node:assert/strict';
import { glanceTasks } from '../../../../src/features/glance/glanceTasks';
import { parseFromGlance } from '../../../../src/shared/glance/glance';
import type { BackgroundTask } from '../../../../src/shared/transcript/backgroundTask';

const session = (sessionId: string, listed: readonly BackgroundTask[]) =>
  ({
    agent: { id: 'demo' },
    info: { sessionId },
    title: `Title ${sessionId}`,
    tasks: { all: listed.length === 0 ? undefined : { count: listed.length, listed } },
  }) as unknown as Parameters<typeof glanceTasks>[0][number];
const command = (id: string, more: Partial<BackgroundTask> = {}): BackgroundTask => ({
  ...{ id, kind: 'terminal', title: 'npm run watch' },
  ...more,
});

describe('tasks at a glance', () => {
  it('V2-TURN-12: says of each its session and the last line of its output, as plain text', () => {
    const output = 'Building…\r\n\u001b[32mDone\u001b[0m in 3 s\u202e\r\n\r\n';
    const [one, two, ...others] = glanceTasks(
      [
        session('s1', [command('a', { output, canStop: true })]),
        session('s2', [command('b')]),
        session('s3', []),
      ],
      ({ info }) => (info.sessionId === 's2' ? 'Mine' : undefined),
    );
    assert.deepEqual(others, []);
    assert.deepEqual([one?.session, one?.line, one?.canStop], ['Title s1', 'Done in 3 s', true]);
    assert.deepEqual([two?.session, two?.line, two?.canStop], ['Mine', undefined, undefined]);
  });

  it('SEC-342: are bounded in number and length', () => {
    const many = Array.from({ length: 10 }, (_, at) =>
      session(
        `s${at}`,
        Array.from({ length: 10 }, (__, id) => command(`${id}`, { output: 'x'.repeat(2_000) })),
      ),
    );
    const tasks = glanceTasks(many, () => undefined);
    assert.equal(tasks.length, 50);
    assert.ok(tasks.every(({ line = '' }) => line.length <= 201));
  });

  it('takes from the page only what it can send', () => {
    const stop = { type: 'stopTask', key: 'k', id: 'terminal 1' };
    assert.deepEqual(parseFromGlance(stop), stop);
    for (const wrong of [{ ...stop, id: 5 }, { ...stop, key: undefined }, { type: 'openTask' }]) {
      assert.equal(parseFromGlance(wrong), undefined);
    }
  });
});
