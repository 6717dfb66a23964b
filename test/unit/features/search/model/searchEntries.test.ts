import assert from 'node:assert/strict';
import {
  comparableFile,
  toSearchEntry,
} from '../../../../../src/features/search/model/searchEntries';
import { findPlace, getFits } from '../../../../../src/features/search/model/searchPlace';
import type { Entry, ToolCallEntry } from '../../../../../src/shared/transcript/entries';

const cwd = '/project';

function message(text: string): Entry {
  return { kind: 'agent', blocks: [{ type: 'text', text }] };
}

const call: ToolCallEntry = {
  kind: 'toolCall',
  toolCallId: 'c',
  title: 'Edit the total',
  toolKind: 'edit',
  status: 'completed',
  locations: [{ path: 'src/../src/total.ts', line: 3 }],
  content: [
    { type: 'content', block: { type: 'text', text: `result ${'x'.repeat(5000)}` } },
    {
      type: 'diff',
      path: '/project/src/cart.ts',
      oldText: 'import money\nsum += price;\nreturn sum;',
      newText: 'import money\nsum += cents;\nreturn sum;',
    },
  ],
  rawInput: { command: 'npm test', content: 'a whole file' },
};

describe('what of an entry can be found', () => {
  it('is all that was said', () => {
    const long = `${'word '.repeat(5_000)}end`;
    assert.deepEqual(toSearchEntry(message(long), cwd), { text: long, touches: [] });
    assert.equal(toSearchEntry(message('a\0b'), cwd).text, 'a b');
  });

  it('is what a tool call was about, and the beginning of what came of it', () => {
    const { text } = toSearchEntry(call, cwd);
    for (const part of ['Edit the total', 'src/cart.ts', 'npm test', 'result xxx']) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(!text.includes('whole file'));
    assert.ok(text.length < 1_500);
  });

  it('is the whole command, in whichever words an input has it, or what it searches for', () => {
    for (const [rawInput, said] of [
      [{ command: 'git', args: ['log', '-1'] }, 'git log -1'],
      [{ cmd: 'make all' }, 'make all'],
      [{ commands: ['ls', 'npm test'] }, 'ls\nnpm test'],
      [JSON.stringify({ command: 'make all' }), 'make all'],
      [{ pattern: 'tax', query: 'rate', url: 7 }, 'tax rate'],
    ] as const) {
      assert.ok(toSearchEntry({ ...call, rawInput }, cwd).text.includes(`\n${said}\n`), said);
    }
  });

  it('is what a tool call changed, without what it left alone', () => {
    const { text } = toSearchEntry(call, cwd);
    assert.ok(text.includes('sum += cents;') && text.includes('sum += price;'));
    assert.ok(!text.includes('import money') && !text.includes('return sum'));
  });

  it('is the beginning of a file that a call made, and no change that is too large to compare', () => {
    const written = (oldText: string | null, newText: string): string =>
      toSearchEntry(
        { ...call, content: [{ type: 'diff', path: '/project/a.ts', oldText, newText }] },
        cwd,
      ).text;
    const long = `made ${'line\n'.repeat(500_000)}`;
    assert.ok(written(null, long).includes('made line'));
    assert.ok(written(null, long).length < 30_000);
    assert.ok(!written('before', long).includes('made'));
  });

  it('names the files of a call, relative ones as seen from the session', () => {
    assert.deepEqual(toSearchEntry(call, cwd).touches, [
      { file: '/project/src/total.ts', act: 'edited', added: 0, removed: 0 },
      { file: '/project/src/cart.ts', act: 'edited', added: 1, removed: 1 },
    ]);
    assert.equal(comparableFile('Sub\\a.TS', 'C:\\Work'), 'c:\\work\\sub\\a.ts');
    assert.equal(comparableFile('../a.ts', '/project/deep'), '/project/a.ts');
    const shared = '\\\\wsl$\\Other\\home\\a.ts';
    assert.equal(comparableFile(shared, '/project'), '\\\\wsl$\\other\\home\\a.ts');
  });

  it('V2-DIFF-2: names files that a call deleted and moved', () => {
    const change = { type: 'fileChange', path: '/project/a.ts' } as const;
    const { text, touches } = toSearchEntry(
      {
        ...{ ...call, locations: [] },
        content: [
          { ...change, operation: 'delete' },
          { ...change, operation: 'move', path: '/project/new.ts', oldPath: '/project/old.ts' },
        ],
      },
      cwd,
    );
    assert.ok(['a.ts', 'new.ts', 'old.ts'].every((name) => text.includes(name)));
    assert.deepEqual(
      touches.map(({ file, act }) => [file, act]),
      [
        ['/project/a.ts', 'deleted'],
        ['/project/new.ts', 'moved'],
        ['/project/old.ts', 'moved'],
      ],
    );
  });

  it('has what was done to a file: nothing by a search or a failed call', () => {
    const locations = [{ path: 'a.ts' }];
    const acts = (more: Partial<ToolCallEntry>): string[] =>
      toSearchEntry({ ...call, content: [], locations, ...more }, cwd).touches.map(
        ({ act }) => act,
      );
    assert.deepEqual(acts({ toolKind: 'read' }), ['read']);
    assert.deepEqual(acts({ toolKind: 'delete' }), ['deleted']);
    assert.deepEqual(acts({ toolKind: 'move' }), ['moved']);
    assert.deepEqual(acts({ toolKind: 'execute' }), ['used']);
    assert.deepEqual(acts({ toolKind: 'search' }), []);
    for (const status of ['failed', 'rejected', 'cancelled'] as const) {
      assert.deepEqual(acts({ toolKind: 'edit', status }), []);
    }
  });

  it('counts the lines of all changes of a file, of a large one roughly', () => {
    const lines = (count: number, word: string): string => `${word}\n`.repeat(count);
    const diff = (oldText: string | null, newText: string) =>
      ({ type: 'diff', path: 'a.ts', oldText, newText }) as const;
    const touch = (...content: ToolCallEntry['content'][number][]) =>
      toSearchEntry({ ...call, locations: [], content }, cwd).touches;
    const made = touch(diff(null, lines(3, 'a')), diff('a\nb\n', 'a\n}\n}\n'));
    assert.deepEqual(made, [{ file: '/project/a.ts', act: 'edited', added: 5, removed: 1 }]);
    const other = touch(diff(`start\n${lines(2_000, 'a')}`, `start\n${lines(3_000, 'b')}`));
    assert.deepEqual(other, [{ file: '/project/a.ts', act: 'edited', added: 3000, removed: 2000 }]);
  });
});

describe('the place of a hit', () => {
  const hit = { session: {} as never, entry: 1, snippet: '…the needle in it' };

  it('is where the text is now, as near as can be to where it was', async () => {
    const entries = ['the needle in it', 'x', 'y', 'see: the needle in it.', 'z'].map(message);
    const fits = getFits(hit, 'needle');
    assert.equal(await findPlace(entries, cwd, 1, fits), 0);
    assert.equal(await findPlace(entries, cwd, 4, fits), 3);
    assert.equal(await findPlace(entries, cwd, 400, fits), 3);
  });

  it('is where one of the words is when the text has changed, or nowhere', async () => {
    const fits = getFits(hit, 'naïve needle');
    assert.equal(await findPlace(['x', 'y', 'A Naive one'].map(message), cwd, 0, fits), 2);
    assert.equal(await findPlace(['x'].map(message), cwd, 0, fits), undefined);
    assert.equal(await findPlace([], cwd, 0, fits), undefined);
  });
});
