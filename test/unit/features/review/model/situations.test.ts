import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Outcome, Selection } from '../../../../../src/features/review/model/review';
import { posixOnly } from '../../../../support/posixOnly';
import { World } from './world';

/** The bytes of a file before the agent's turn, and after it. */
interface Content {
  readonly before: string | Buffer | null;
  readonly after: string | Buffer | null;
  /** Lines that the agent has changed, and the bytes if only these are undone. */
  readonly lines?: readonly [start: number, end: number, undone: string | Buffer];
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const large = 'x\n'.repeat(3 * 1024 * 1024);

const contents: Readonly<Record<string, Content>> = {
  'a byte order mark': {
    before: '\ufeff1\n2\n3\n4\n',
    after: '\ufeffone\n2\n3\nfour\n',
    lines: [4, 5, '\ufeffone\n2\n3\n4\n'],
  },
  'a byte order mark that the agent removed': {
    before: '\ufeff1\n2\n3\n4\n',
    after: '1\n2\n3\nfour\n',
    // What no line shows goes with the last one that is decided.
    lines: [4, 5, '\ufeff1\n2\n3\n4\n'],
  },
  'no more than a byte order mark': { before: '\ufeff1\n', after: '1\n' },
  'UTF-16': {
    before: utf16('1\nä\n3\n4\n'),
    after: utf16('one\nä\n3\n😀\n'),
    lines: [4, 5, utf16('one\nä\n3\n4\n')],
  },
  'CR and LF': {
    before: '1\r\n2\r\n3\r\n4\r\n',
    after: 'one\r\n2\r\n3\r\nfour\r\n',
    lines: [4, 5, 'one\r\n2\r\n3\r\n4\r\n'],
  },
  'line ends of all kinds': {
    before: '1\r\n2\n3\n4\r5\r\n',
    after: 'one\r\n2\n3\nfour\r5\n',
    lines: [1, 2, '1\r\n2\n3\nfour\r5\n'],
  },
  'line ends that the agent changed': {
    before: '1\n2\n3\n',
    after: '1\r\n2\r\n3\r\n',
    lines: [1, 4, '1\n2\n3\n'],
  },
  'no final newline': {
    before: '1\n2\n3\n4',
    after: 'one\n2\n3\n4\n',
    lines: [4, 5, 'one\n2\n3\n4'],
  },
  'a final newline that the agent removed': {
    before: '1\n2\n3\n4\n',
    after: 'one\n2\n3\n4',
    lines: [4, 5, 'one\n2\n3\n4\n'],
  },
  'no text at first': { before: '', after: 'full', lines: [1, 2, ''] },
  'no text afterwards': { before: 'full', after: '', lines: [1, 1, 'full'] },
  'bytes of another encoding': { before: latin1('\xe4\n'), after: latin1('\xf6\n') },
  'binary bytes': { before: Buffer.from([0, 1, 255, 10]), after: Buffer.from([0, 254, 13]) },
  'more than 5 MB': { before: large, after: `${large}y\n` },
  'a new file': { before: null, after: 'new\n' },
  'a deleted file': { before: 'old\n', after: null },
};

const oddNames = [
  'ä ‮ "quoted" \\ %00 $HOME {0} \'x\'.txt',
  ' leading and trailing ',
  '-rf',
  ':(top)*?[a-z]!.txt',
  '#a?b&c=d%2F.txt',
  '.hidden/..dots../~',
  'COM1.txt',
  `${'long'.repeat(50)}.txt`,
  '日本語 👩‍👩‍👧 e\u0301',
];

describe('What happens with', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World().open();
    await world.beginTurn(1);
  });

  afterEach(() => world.dispose());

  const all: Selection = { type: 'all' };
  const bytes = (name: string): Buffer | null =>
    fs.existsSync(world.path(name)) ? fs.readFileSync(world.path(name)) : null;
  const named = (name: string): Selection => ({ type: 'files', files: [world.path(name)] });
  const at = (name: string, start: number, end: number): Selection => ({
    ...{ type: 'lines', file: world.path(name), lines: [{ start, end }] },
  });
  const left = ({ leftAlone }: Outcome): readonly string[] => leftAlone.map((it) => it.reason);

  function isExactly(name: string, content: string | Buffer | null): void {
    const wanted = content === null ? null : Buffer.from(content);
    assert.deepEqual(bytes(name), wanted);
  }

  /** Everything is decided, and a window that has only the journal knows it. */
  async function isDecided(): Promise<void> {
    const other = await world.window();
    assert.deepEqual([world.review.pending, other.pending], [[], []]);
    other.dispose();
  }

  /** Every way to decide about one file ends with exactly these bytes. */
  async function checkDecisions(name: string, { before, after, lines }: Content): Promise<void> {
    let turn = 1;
    const agent = async (): Promise<void> => {
      world.write(name, before);
      await world.beginTurn(++turn);
      await world.agent(turn, name, after);
      assert.equal(world.review.pending.length, 1);
    };
    await agent();
    assert.deepEqual(left(await world.review.undo(all)), []);
    isExactly(name, before);
    await isDecided();
    await agent();
    assert.deepEqual(left(await world.review.undo(named(name))), []);
    isExactly(name, before);
    await agent();
    assert.deepEqual(left(await world.review.undo({ type: 'turn', turn })), []);
    isExactly(name, before);
    await isDecided();
    await agent();
    const plan = await world.review.planRestore(turn);
    assert.deepEqual(left(await world.review.restore(plan)), []);
    isExactly(name, before);
    assert.deepEqual(left(await world.review.takeBack()), []);
    isExactly(name, after);
    if (lines !== undefined) {
      const [start, end, undone] = lines;
      await world.review.undo(at(name, start, end));
      isExactly(name, undone);
      await world.review.keep(all);
      isExactly(name, undone);
      await isDecided();
      await agent();
      await world.review.keep(at(name, start, end));
      isExactly(name, after);
    } else {
      // Nothing is guessed about lines that nobody can see.
      const whole = world.review.pending[0]?.form === 'text' ? [] : ['changedSince'];
      const outcome = await world.review.keep(at(name, 900, 901));
      assert.deepEqual([left(outcome), outcome.decided], [whole, []]);
      isExactly(name, after);
    }
    await world.review.keep(named(name));
    isExactly(name, after);
    await isDecided();
  }

  for (const [kind, content] of Object.entries(contents)) {
    it(`${kind}: every decision ends with exact bytes`, () => checkDecisions('a', content));
  }

  it('names with odd characters: every decision is about that file', async () => {
    for (const name of oddNames) {
      await checkDecisions(name, {
        before: '1\n2\n3\n4\n',
        after: 'one\n2\n3\nfour\n',
        lines: [1, 2, '1\n2\n3\nfour\n'],
      });
    }
  });

  posixOnly('names with line ends and backslashes: every decision is about that file', async () => {
    for (const name of ['a\nb', 'a\\b', 'a\r', '\t"']) {
      await checkDecisions(name, { before: 'old\n', after: 'new\n', lines: [1, 2, 'old\n'] });
    }
  });

  it('read-only files: they can be kept, are named otherwise, and nothing of them is lost', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    world.files.readOnly.add(world.path('a'));
    for (const selection of [all, named('a'), at('a', 1, 2)]) {
      assert.deepEqual(left(await world.review.undo(selection)), ['readOnly']);
    }
    assert.deepEqual(left(await world.review.restore(await world.review.planRestore(1))), [
      'readOnly',
    ]);
    isExactly('a', 'new\n');
    world.files.readOnly.clear();
    await world.review.undo(all);
    isExactly('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    world.files.readOnly.add(world.path('a'));
    assert.deepEqual(left(await world.review.keep(all)), []);
    await isDecided();
  });

  it('files outside of the folders: they are shown, can be kept, and are never touched', async () => {
    world.write('a', 'old\n');
    const before = await world.state('a');
    world.write('a', 'new\n');
    const change = { file: world.path('a'), before, after: await world.state('a') };
    const step = { by: 'agent', source: 'write', turn: 1 } as const;
    await world.review.record.addSteps(step, [{ ...change, isOutside: true }]);
    const touched: string[] = [];
    world.files.onReplace = (file) => touched.push(file);
    for (const selection of [all, named('a'), at('a', 1, 2), { type: 'turn', turn: 1 } as const]) {
      assert.deepEqual(left(await world.review.undo(selection)), ['outside']);
    }
    const plan = await world.review.planRestore(1);
    assert.deepEqual(left(await world.review.restore(plan)), ['outside']);
    assert.equal(world.review.pending[0]?.isOutside, true);
    assert.deepEqual(left(await world.review.keep(all)), []);
    await isDecided();
    assert.deepEqual(touched, []);
    isExactly('a', 'new\n');
  });

  it('contents that aren’t kept: they can only be kept', async () => {
    world.write('a', 'x');
    const before = { kind: 'unkept', reason: 'filtered' } as const;
    const step = { by: 'agent', source: 'checkpoint', turn: 1 } as const;
    const change = { file: world.path('a'), before, after: await world.state('a') };
    await world.review.record.addSteps(step, [change]);
    for (const selection of [all, named('a'), at('a', 1, 2)]) {
      assert.deepEqual(left(await world.review.undo(selection)), ['unkept']);
    }
    const plan = await world.review.planRestore(1);
    assert.deepEqual(left(await world.review.restore(plan)), ['unkept']);
    await world.review.keep(all);
    await isDecided();
    isExactly('a', 'x');
  });

  it('a folder that the agent deleted: it comes back with its files', async () => {
    world.write('sub/deep/a', 'a');
    world.write('sub/b', 'b');
    await world.agent(1, 'sub/deep/a', null);
    await world.agent(1, 'sub/b', null);
    fs.rmSync(world.path('sub'), { recursive: true });
    assert.deepEqual(left(await world.review.undo(all)), []);
    isExactly('sub/deep/a', 'a');
    isExactly('sub/b', 'b');
    fs.rmSync(world.path('sub'), { recursive: true });
    await world.beginTurn(2);
    await world.agent(2, 'c', 'c');
    // The user has deleted it now, and it isn't brought back.
    assert.deepEqual(left(await world.review.restore(await world.review.planRestore(2))), []);
    assert.equal(fs.existsSync(world.path('sub')), false);
  });

  it('a folder that can’t be reached: its files are left alone, and still wait afterwards', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    const { pending } = world.review;
    const look = world.files.look.bind(world.files);
    world.files.look = () => Promise.resolve({ kind: 'untouchable', reason: 'elsewhere' });
    for (const selection of [all, named('a'), at('a', 1, 2)]) {
      assert.deepEqual(left(await world.review.undo(selection)), ['failed']);
    }
    assert.deepEqual(left(await world.review.restore(await world.review.planRestore(1))), [
      'failed',
    ]);
    world.files.look = look;
    assert.deepEqual(world.review.pending, pending);
    await world.review.undo(all);
    isExactly('a', 'old\n');
  });

  it('a folder in the place of the file: it is left alone', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    world.write('a', null);
    world.write(path.join('a', 'mine'), 'mine');
    for (const selection of [all, named('a'), at('a', 1, 2)]) {
      assert.deepEqual(left(await world.review.undo(selection)), ['failed']);
    }
    isExactly(path.join('a', 'mine'), 'mine');
  });
});
