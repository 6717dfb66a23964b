import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { DrawnEntry, DrawnToolCall } from '../../../../src/shared/transcript/drawn';
import { Folds } from '../../../../src/webview/rows/folds';
import { findShape, groupRows, type RowShape, Rows } from '../../../../src/webview/rows/rows';

function call(more: Partial<DrawnToolCall> = {}): DrawnToolCall {
  return {
    kind: 'toolCall',
    title: 'Read',
    toolKind: 'read',
    status: 'completed',
    content: [],
    locations: [],
    ...more,
  };
}

function question(about: number): DrawnEntry {
  return {
    kind: 'permission',
    requestId: 1,
    toolCall: call(),
    call: about,
    options: [],
    state: { kind: 'waiting' },
  };
}

const words: DrawnEntry = { kind: 'agent', blocks: [{ type: 'text', text: 'Yes', omitted: 0 }] };
const cleared: DrawnEntry = { kind: 'agent', blocks: [] };

/** The rows of the entries from `start` on; `sought` is the entry to reveal. */
function rowsOf(entries: readonly DrawnEntry[], start = 0) {
  const shapes = new Map<number, RowShape>();
  for (const [at, entry] of entries.entries()) {
    shapes.set(start + at, findShape(entry) ?? 'other');
  }
  const groups = signal(groupRows(shapes));
  const sought = signal<number | undefined>(undefined);
  const rows = new Rows(groups, new Folds(), sought, () => {
    sought.value = undefined;
  });
  return { rows, sought, hidden: () => [...rows.hidden.value] };
}

describe('entries that share a row', () => {
  it('are calls that follow each other and only looked at something', () => {
    const entries = [
      call(),
      call({ toolKind: 'search' }),
      call({ toolKind: 'fetch' }),
      words,
      call(),
      words,
      call(),
      call({ status: 'in_progress' }),
      call({ status: 'failed' }),
      call({ toolKind: 'edit' }),
      call({ dropped: true }),
      call({ content: [{ type: 'terminal', terminalId: 't' }] }),
      call(),
    ];
    const { rows, hidden } = rowsOf(entries, 5);
    assert.deepEqual(hidden(), [6, 7]);
    assert.deepEqual(rows.runAt(5), { first: 5, last: 7 });
    assert.equal(rows.runAt(6), undefined, 'one line');
    assert.deepEqual(
      [5, 6, 7, 8, 9].map((index) => rows.getRow(index)),
      [5, 5, 5, 8, 9],
    );
    assert.equal(rows.next(5, 1), 8);
    assert.equal(rows.next(8, -1), 5);
  });

  it('SEC-114: are no more than a bounded number of calls', () => {
    const { rows } = rowsOf(Array.from({ length: 120 }, () => call()));
    assert.deepEqual(
      [0, 50, 100].map((index) => rows.runAt(index)),
      [
        { first: 0, last: 49 },
        { first: 50, last: 99 },
        { first: 100, last: 119 },
      ],
    );
  });

  it('open to chips, and each of these to its call', () => {
    const { rows, hidden } = rowsOf([call(), call(), call()]);
    const run = rows.runAt(0) ?? assert.fail('no run');
    rows.toggle(run);
    assert.equal(rows.isOpen(run), true);
    assert.deepEqual(hidden(), [1, 2]);
    assert.equal(rows.isCallOpen(run, 0), false);
    rows.toggleCall(run, 2);
    assert.deepEqual(hidden(), [1]);
    rows.toggle(run);
    assert.deepEqual(hidden(), [1, 2]);
  });

  it('open for the requested entry, and can be closed again', () => {
    const { rows, sought, hidden } = rowsOf([call(), call(), call()]);
    const run = rows.runAt(0) ?? assert.fail('no run');
    sought.value = 1;
    assert.deepEqual(hidden(), [2]);
    assert.equal(rows.getRow(1), 1);
    rows.toggle(run);
    assert.deepEqual(hidden(), [1, 2]);
    sought.value = 2;
    assert.deepEqual(hidden(), [], 'what was opened before is open as well');
    rows.toggleCall(run, 2);
    assert.deepEqual(hidden(), [2]);
  });

  it('PE-2: are a question and its call, once both are here', () => {
    const { rows, hidden } = rowsOf([call({ status: 'pending' }), words, question(0), question(7)]);
    assert.deepEqual(hidden(), [2]);
    assert.deepEqual(rows.getQuestions(0), [2]);
    assert.equal(rows.getRow(2), 0);
    assert.equal(rows.getRow(3), 3, 'its call is no call, or not here');
    assert.deepEqual(rowsOf([call(), call(), question(1)]).hidden(), [2], 'nor folded with others');
    assert.deepEqual(rowsOf([words, question(0)]).hidden(), []);
  });

  it('V2-MSG-4, V2-PLAN-4: are none for what was cleared, which counts to the row before it', () => {
    const removed: DrawnEntry = { kind: 'plan', items: [] };
    const { rows, hidden } = rowsOf([cleared, cleared, words, cleared, removed, call(), call()]);
    assert.deepEqual(hidden(), [0, 1, 3, 4, 6]);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map((index) => rows.getRow(index)),
      [2, 2, 2, 2, 2, 5, 5],
    );
    assert.equal(rows.next(2, 1), 5);
    assert.equal(rows.next(2, -1), -1);
    const plan: DrawnEntry = {
      kind: 'plan',
      items: [],
      blocks: [{ type: 'text', text: 'x', omitted: 0 }],
    };
    assert.equal(findShape(plan), 'other');
  });
});
