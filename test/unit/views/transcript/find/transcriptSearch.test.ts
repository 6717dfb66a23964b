import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Entry, TranscriptChange } from '../../../../../src/shared/transcript/entries';
import type { FindQuery } from '../../../../../src/shared/transcript/findQuery';
import type { ToWebview } from '../../../../../src/shared/transcript/webviewMessages';
import {
  maxMatches,
  TranscriptSearch,
} from '../../../../../src/views/transcript/find/transcriptSearch';

type Found = Extract<ToWebview, { type: 'found' }>;

const entries: readonly Entry[] = [
  { kind: 'user', blocks: [{ type: 'text', text: 'Where is the Größe set?' }] },
  { kind: 'thought', blocks: [{ type: 'text', text: 'I look (quickly).' }] },
  {
    kind: 'toolCall',
    toolCallId: 'c1',
    title: 'Read a file',
    toolKind: 'read',
    status: 'completed',
    content: [
      { type: 'diff', path: '/a.ts', oldText: null, newText: 'const size = 1;' },
      { type: 'terminal', terminalId: 't' },
    ],
    locations: [{ path: '/code/a.ts' }],
    rawInput: { deep: ['needle'] },
    terminalOutput: new Map([['t', 'exit code 7']]),
  },
  { kind: 'plan', items: [{ content: 'Fix it', priority: 'high', status: 'pending' }] },
  { kind: 'user', blocks: [{ type: 'text', text: 'Thanks' }] },
];

const plain: FindQuery = { text: '', matchCase: false, wholeWord: false, isPattern: false };

function says(text: string): Entry {
  return { kind: 'agent', blocks: [{ type: 'text', text }] };
}

/** An entry's index, and the number of matches that start in it. */
type Pair = readonly [index: number, matches: number];

/** Expands runs of equal counts (start, length, count) to one pair per entry. */
function pairs(places: readonly number[]): Pair[] {
  return places.flatMap((start, at): Pair[] =>
    at % 3 === 0
      ? Array.from({ length: places[at + 1] ?? 0 }, (_, more) => [
          start + more,
          places[at + 2] ?? 0,
        ])
      : [],
  );
}

describe('search in a transcript', () => {
  let all: Entry[];
  let answers: Found[];
  let search: TranscriptSearch;
  let query = 0;

  beforeEach(() => {
    all = [...entries];
    answers = [];
    search = new TranscriptSearch(
      () => all,
      (message) => answers.push(message),
    );
  });

  afterEach(() => search.dispose());

  function start(wanted: Partial<FindQuery>, from = 0): void {
    query += 1;
    search.start({ type: 'find', query, from, search: { ...plain, ...wanted } });
  }

  /** Waits for an answer to the current query that satisfies the condition. */
  async function until(condition: (last: Found) => boolean): Promise<Found> {
    for (;;) {
      const last = answers.at(-1);
      if (last?.query === query && condition(last)) {
        return last;
      }
      await setImmediate();
    }
  }

  async function places(wanted: Partial<FindQuery>, from = 0): Promise<Pair[]> {
    start(wanted, from);
    await until(({ state }) => state !== 'searching');
    return pairs(
      answers.filter((answer) => answer.query === query).flatMap((answer) => [...answer.places]),
    );
  }

  async function indexes(wanted: Partial<FindQuery>): Promise<number[]> {
    return (await places(wanted)).map(([index]) => index);
  }

  function note(change: TranscriptChange): void {
    search.note(change);
  }

  it('searches everything that is visible', async () => {
    assert.deepEqual(await indexes({ text: 'größe' }), [0]);
    assert.deepEqual(await indexes({ text: '(quickly).' }), [1]);
    for (const text of ['read a', 'size = 1', 'needle', 'exit code', '/code/a']) {
      assert.deepEqual(await indexes({ text }), [2], text);
    }
    assert.deepEqual(await indexes({ text: 'fix' }), [3]);
    assert.deepEqual(await indexes({ text: 'not there' }), []);
  });

  it('looks in permissions, questions and ends of turns', async () => {
    const toolCall = entries[2];
    assert.ok(toolCall?.kind === 'toolCall');
    const asked: readonly Entry[] = [
      {
        kind: 'permission',
        requestId: 1,
        toolCall,
        options: [{ optionId: 'a', name: 'Go ahead', kind: 'allow_once' }],
        state: { kind: 'waiting' },
      },
      {
        kind: 'elicitation',
        requestId: 2,
        message: 'Which colour?',
        ask: {
          mode: 'form',
          fields: [
            {
              type: 'select',
              name: 'c',
              title: 'Shade',
              required: true,
              choices: [{ value: 'r', title: 'Crimson' }],
            },
          ],
        },
        state: { kind: 'accepted', values: { c: 'answered' } },
      },
      {
        kind: 'elicitation',
        requestId: 3,
        message: 'Sign in',
        ask: { mode: 'url', url: 'https://shop.example/login', elicitationId: 'e' },
        state: { kind: 'waiting' },
      },
      {
        kind: 'turn',
        outcome: {
          type: 'failed',
          canResend: true,
          failure: { code: 'exited', title: 'Stopped', detail: 'It crashed', actions: [] },
        },
      },
    ];
    all = [...asked];
    for (const [text, index] of [
      ['needle', 0],
      ['go ahead', 0],
      ['which colour', 1],
      ['shade', 1],
      ['crimson', 1],
      ['answered', 1],
      ['shop.example', 2],
      ['crashed', 3],
    ] as const) {
      assert.deepEqual(await indexes({ text }), [index], text);
    }
  });

  it('counts matches, from where one reads and around the end', async () => {
    all = [says('one two one'), says('two'), says('one')];
    assert.deepEqual(await places({ text: 'one' }, 1), [
      [2, 1],
      [0, 2],
    ]);
  });

  it('matches case when asked', async () => {
    assert.deepEqual(await indexes({ text: 'thanks', matchCase: true }), []);
    assert.deepEqual(await indexes({ text: 'Thanks', matchCase: true }), [4]);
  });

  it('takes the text for text, not for a pattern', async () => {
    for (const text of ['.*', '[^', '(?:', '\\', '$', 'a|b', '{2}', 'e+']) {
      assert.deepEqual(await indexes({ text }), [], text);
    }
  });

  it('matches whole words of any script', async () => {
    all = [says('Die Größe, größer, (größe) _größe'), says('Größenwahn'), says('слово и словом')];
    const wholeWord = true;
    assert.deepEqual(await places({ text: 'größe', wholeWord }), [[0, 2]]);
    assert.deepEqual(await places({ text: 'GRÖSSE', wholeWord }), []);
    assert.deepEqual(await places({ text: 'СЛОВО', wholeWord }), [[2, 1]]);
    assert.deepEqual(await places({ text: '(größe)', wholeWord }), [[0, 1]]);
    assert.deepEqual(await places({ text: 'gr.ße', wholeWord, isPattern: true }), [[0, 2]]);
  });

  it('takes a regular expression, line by line', async () => {
    all = [says('alpha 1\nbeta 22\ngamma 333'), says('nothing')];
    const isPattern = true;
    assert.deepEqual(await places({ text: '\\d{2,}$', isPattern }), [[0, 2]]);
    assert.deepEqual(await places({ text: '^[a-z]+ ', isPattern }), [[0, 3]]);
    assert.deepEqual(await places({ text: 'x*', isPattern }), []);
  });

  it('explains an invalid regular expression', async () => {
    const isPattern = true;
    start({ text: '(', isPattern });
    assert.equal((await until(() => true)).state, 'invalid');
    start({ text: 'a'.repeat(501), isPattern });
    assert.equal((await until(() => true)).state, 'long');
    all = [says(`${'a'.repeat(5000)}!`)];
    start({ text: '(a+)+$', isPattern });
    assert.equal((await until(({ state }) => state !== 'searching')).state, 'slow');
    start({ text: 'a{3}', isPattern });
    assert.equal((await until(({ state }) => state !== 'searching')).state, 'complete');
  });

  it('finds every match of a long text once, wherever it lies', async () => {
    const line = `${'x'.repeat(99)}\n`;
    all = [
      says(`${line.repeat(3000)}needle`),
      says(`${'x'.repeat(65_533)}needle${'x'.repeat(99)}`),
    ];
    assert.deepEqual(await places({ text: 'needle' }), [
      [0, 1],
      [1, 1],
    ]);
    assert.deepEqual(await places({ text: '^x', isPattern: true }), [
      [0, 3000],
      [1, 1],
    ]);
  });

  it('answers with the first match before all is counted, and lets others run', async () => {
    all = Array.from({ length: 200 }, () => says('needle '.repeat(10_000)));
    start({ text: 'needle' }, 150);
    const first = await until(() => true);
    assert.equal(first.state, 'searching');
    assert.equal(first.places[0], 150);
    await until(({ state }) => state === 'complete');
    const total = pairs(answers.flatMap((answer) => [...answer.places])).reduce(
      (sum, [, n]) => sum + n,
      0,
    );
    assert.equal(total, 2_000_000);
  });

  it('ends when something else is looked for, or nothing', async () => {
    all = Array.from({ length: 200 }, () => says('needle '.repeat(10_000)));
    start({ text: 'needle' });
    const { query: first } = await until(() => true);
    const before = answers.length;
    start({ text: 'other' });
    await until(({ state }) => state === 'complete');
    assert.ok(answers.slice(before).every((answer) => answer.query !== first));
    start({ text: '' });
    assert.ok(answers.every((answer) => answer.query !== query));
  });

  it('searches added and changed entries, and nothing else', async () => {
    all = [says('needle'), says('needle'), says('hay')];
    await places({ text: 'needle' });
    const before = answers.length;
    all.push(says('needle needle'));
    note({ type: 'appended', from: 3, to: 4 });
    all[1] = says('hay');
    note({ type: 'updated', index: 1 });
    await until(() => answers.length > before);
    const [news] = answers.slice(before);
    assert.equal(news?.isNew, false);
    assert.deepEqual(pairs([...news.places]), [
      [1, 0],
      [3, 2],
    ]);
  });

  it('starts over when the transcript does', async () => {
    await places({ text: 'thanks' });
    const before = answers.length;
    all = [says('thanks')];
    note({ type: 'reset' });
    await until(({ state }) => answers.length > before && state === 'complete');
    assert.equal(answers[before]?.isNew, true);
    assert.deepEqual(pairs(answers.slice(before).flatMap((answer) => [...answer.places])), [
      [0, 1],
    ]);
  });

  it('is bounded and says so', async () => {
    all = Array.from({ length: maxMatches + 1 }, () => says('thanks'));
    assert.equal((await places({ text: 'thanks' })).length, maxMatches);
    assert.equal(answers.at(-1)?.state, 'cut');
  });

  it('says where matches are in texts that are drawn', async () => {
    await places({ text: 'a+', isPattern: true });
    const marks = search.mark(query, [{ index: 4, text: 'aa b a' }]);
    assert.deepEqual(marks, [{ index: 4, spans: [0, 2, 5, 6] }]);
    assert.deepEqual(search.mark(query - 1, [{ index: 4, text: 'a' }]), []);
  });
});
