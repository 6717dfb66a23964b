import assert from 'node:assert/strict';
import { type FamilyRoot, getFamily } from '../../../../src/util/process/processFamily';
import type { ProcessRow } from '../../../../src/util/process/processTable';

/** An editor with its extension host, which has started `root`, and a shell of the user's. */
const host = 50;
const root: FamilyRoot = { pid: 100, start: 1000 };
const editor = [
  row({ pid: 1, parent: 0, session: 1, start: 1 }),
  row({ pid: 40, parent: 1, session: 40, start: 400 }),
  row({ pid: host, parent: 40, group: 40, session: 40, start: 500 }),
  row({ pid: 60, parent: 1, session: 60, start: 600 }),
];
const rootRow = row({ pid: 100, parent: host, start: 1000 });

function row(fields: Partial<ProcessRow> & { readonly pid: number }): ProcessRow {
  return { parent: 1, group: fields.pid, session: fields.pid, start: 2000, name: 'x', ...fields };
}

function idsOf(others: readonly ProcessRow[], marked: readonly number[] = []): number[] {
  const family = getFamily(root, [...editor, ...others], host, (pid) => marked.includes(pid));
  return family.map(({ pid }) => pid).sort((a, b) => a - b);
}

describe('what a process has started', () => {
  it('T-31: is found by group, by session and by parents, however far down', () => {
    const started = [
      rootRow,
      row({ pid: 101, group: 100, session: 100 }),
      row({ pid: 102, session: 100 }),
      row({ pid: 103, parent: 100 }),
      row({ pid: 104, parent: 103 }),
      row({ pid: 105, parent: 102 }),
    ];
    assert.deepEqual(idsOf(started), [100, 101, 102, 103, 104, 105]);
    assert.deepEqual(idsOf(started.slice(1)), [101, 102, 105], 'with the root gone, its orphans');
  });

  it('T-31, SEC-130: is found by its mark when it has left everything, with what it has started since', () => {
    const others = [row({ pid: 103 }), row({ pid: 104, parent: 103 }), row({ pid: 105 })];
    assert.deepEqual(idsOf(others, [103]), [103, 104]);
  });

  it('T-31: an orphan that the editor takes in has its mark, too', () => {
    assert.deepEqual(idsOf([row({ pid: 103, parent: 40 })], [103]), [103]);
  });

  it('the user’s other processes aren’t part of it', () => {
    const own = [row({ pid: 61, parent: 60, group: 60, session: 60 }), row({ pid: 62 })];
    assert.deepEqual(idsOf([rootRow, ...own]), [100]);
  });

  it('a mark that was handed on to a program that ran before proves nothing', () => {
    const windows = [
      // A window that the agent has asked the editor to open, in the editor's own session.
      row({ pid: 201, parent: 40, group: 40, session: 40 }),
      // A shell in a terminal that was already running.
      row({ pid: 202, parent: 60 }),
      row({ pid: 203, parent: 202 }),
    ];
    assert.deepEqual(idsOf([rootRow, ...windows], [201, 202, 203]), [100]);
  });

  it('a service that the user’s programs share keeps running', () => {
    const services = [row({ pid: 300, name: 'ssh-agent' }), row({ pid: 301, name: 'gpg-agent' })];
    assert.deepEqual(idsOf([rootRow, ...services], [300, 301]), [100]);
  });

  it('the host and what is above it are never of it', () => {
    const above = editor.map((process) => ({ ...process, session: 100, start: 3000 }));
    const family = getFamily(root, above, host, () => true);
    assert.deepEqual(
      family.map(({ pid }) => pid),
      [60],
    );
  });

  it('another process that has reused the id isn’t part of it, nor are its children', () => {
    const other = row({ pid: 100, parent: 60, start: 9000 });
    assert.deepEqual(idsOf([other, row({ pid: 110, parent: 100 })]), []);
    assert.deepEqual(idsOf([other, row({ pid: 110 })], [110]), [110], 'its orphans still are');
  });

  it('a process older than it wasn’t started by it', () => {
    assert.deepEqual(idsOf([row({ pid: 99, start: 999 })], [99]), []);
  });

  it('costs one look at the environment for each orphan at most, and is linear', () => {
    let asked = 0;
    const chain = Array.from({ length: 50_000 }, (_, at) =>
      row({ pid: 1000 + at, parent: at === 0 ? 100 : 999 + at }),
    );
    const orphans = Array.from({ length: 1000 }, (_, at) => row({ pid: 100_000 + at }));
    const family = getFamily(root, [...editor, rootRow, ...chain, ...orphans], host, () => {
      asked++;
      return false;
    });
    assert.equal(family.length, 50_001);
    assert.equal(asked, 1000);
  });
});
