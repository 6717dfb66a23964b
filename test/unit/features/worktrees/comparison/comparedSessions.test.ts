import assert from 'node:assert/strict';
import {
  type ComparedTree,
  comparedSessions,
} from '../../../../../src/features/worktrees/comparison/comparedSessions';
import type { Entry } from '../../../../../src/shared/transcript/entries';

const entries = [
  { kind: 'user', turn: { began: 1_000, ended: 61_000 } },
  {
    kind: 'agent',
    blocks: [{ type: 'text', text: 'First.\n\nAll \u202e`tests`\u0007 **pass**\nnow.' }],
  },
  { kind: 'user', turn: { began: 100_000 } },
] as unknown as Entry[];

function tree(key: string, facts: object, files: Readonly<Record<string, [number, number]>>) {
  const changes = new Map(
    Object.entries(files).map(([name, [added, removed]]) => [name, { added, removed }]),
  );
  const session = {
    title: 'Fix it',
    agent: { title: 'Fake' },
    phase: { kind: 'ready' },
    turns: { current: { kind: 'running' } },
    requests: { waiting: [] },
    transcript: { entries },
    facts: { usage: { used: 1, size: 2, cost: { amount: 0.5, currency: 'USD\n'.repeat(50) } } },
    ...facts,
  };
  return { key, place: {}, branch: `fix/${key}`, session, changes } as unknown as ComparedTree;
}

describe('what the comparison of sessions says', () => {
  it('of each: state, working time, cost, sums of lines, and the last words, clean', () => {
    const { sessions } = comparedSessions([
      tree('a', {}, { 'x.ts': [3, 1], 'y.ts': [4, 0] }),
      { key: 'b', place: {} as never, branch: 'fix/b', trouble: 'Git is away.' },
      {
        ...{ key: 'c', place: {} as never, branch: 'fix/c' },
        closed: {
          agent: { title: 'Fake' },
          info: { title: 'Fix\nit', state: 'running', updatedAt: '2026-01-02T03:04:05Z' },
        },
        check: { state: 'passed', isStale: true },
      },
    ]);
    const [a, b, c] = sessions;
    assert.ok(a);
    assert.deepEqual([a.state, a.mark], ['Running', 'running']);
    assert.equal(a.took, 60_000);
    assert.deepEqual([a.files, a.lines], [2, { added: 7, removed: 1 }]);
    assert.equal(a.said, 'All tests pass now.');
    assert.ok((a.cost?.currency.length ?? 99) <= 20);
    assert.deepEqual(b, {
      ...{ key: 'b', title: 'fix/b', branch: 'fix/b', state: 'Not open', isRunning: false },
      mark: 'atRest',
      ...{ hasSession: false, trouble: 'Git is away.' },
      unknown: 'No session of this worktree is known here.',
    });
    assert.deepEqual(
      [c?.title, c?.agent, c?.state, c?.isRunning, c?.hasSession, c?.check?.text],
      ['Fix it', 'Fake', 'Runs elsewhere', false, true, 'Passed before later changes'],
    );
    assert.match(String(c?.unknown), /once it is open/);
    assert.match(String(c?.last), /2026/);
    assert.deepEqual([c?.took, c?.cost, c?.said], [undefined, undefined, undefined]);
  });

  it('SEC-312: lists 500 files, those first that most have changed', () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index): [string, [number, number]] => [
        `f${index}`,
        [1, 0],
      ]),
    );
    const shown = comparedSessions([tree('a', {}, many), tree('b', {}, { f999: [2, 2] })]);
    assert.equal(shown.files.length, 500);
    assert.equal(shown.left, 500);
    assert.deepEqual(shown.files[0], {
      name: 'f999',
      cells: [
        { added: 1, removed: 0 },
        { added: 2, removed: 2 },
      ],
    });
  });
});
