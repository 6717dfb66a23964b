import assert from 'node:assert/strict';
import type { Entry } from '../../../../src/shared/entries';
import { findEntries } from '../../../../src/views/transcript/find';

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
    terminalOutput: { t: 'exit code 7' },
  },
  { kind: 'plan', items: [{ content: 'Fix it', priority: 'high', status: 'pending' }] },
  { kind: 'user', blocks: [{ type: 'text', text: 'Thanks' }] },
];
const signal = new AbortController().signal;

async function find(text: string, matchCase = false): Promise<readonly number[] | undefined> {
  return (await findEntries(entries, text, matchCase, signal))?.indexes;
}

describe('find in a transcript', () => {
  it('looks in everything that a person can read', async () => {
    assert.deepEqual(await find('größe'), [0]);
    assert.deepEqual(await find('(quickly).'), [1]);
    for (const text of ['read a', 'size = 1', 'needle', 'exit code', '/code/a']) {
      assert.deepEqual(await find(text), [2], text);
    }
    assert.deepEqual(await find('fix'), [3]);
    assert.deepEqual(await find('t'), [0, 2, 3, 4]);
    assert.deepEqual(await find('not there'), []);
    assert.deepEqual(await find(''), []);
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
      assert.deepEqual((await findEntries(asked, text, false, signal))?.indexes, [index], text);
    }
  });

  it('matches case when asked', async () => {
    assert.deepEqual(await find('thanks', true), []);
    assert.deepEqual(await find('Thanks', true), [4]);
  });

  it('takes the text for text, not for a pattern', async () => {
    for (const text of ['.*', '[^', '(?:', '\\', '$', 'a|b', '{2}', 'e+']) {
      assert.deepEqual(await find(text), [], text);
    }
  });

  it('is bounded and says so', async () => {
    const many: Entry[] = Array.from({ length: 10_001 }, () => entries[4]!);
    const found = await findEntries(many, 'thanks', false, signal);
    assert.equal(found?.indexes.length, 10_000);
    assert.equal(found.cut, true);
  });

  it('lets others run in between, and stops when it is no longer wanted', async () => {
    const long: Entry = { kind: 'agent', blocks: [{ type: 'text', text: 'x'.repeat(1_000_000) }] };
    const many = Array.from({ length: 2000 }, () => long);
    const abort = new AbortController();
    const found = findEntries(many, 'y', false, abort.signal);
    await new Promise(setImmediate);
    abort.abort();
    assert.equal(await found, undefined);
  });
});
