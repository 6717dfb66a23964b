import assert from 'node:assert/strict';
import type { Entry, ToolCallState } from '../../../../../src/shared/transcript/entries';
import { Outline } from '../../../../../src/views/transcript/feed/outlineFeed';

function user(text: string): Entry {
  return { kind: 'user', blocks: [{ type: 'text', text }] };
}

const answer: Entry = { kind: 'agent', blocks: [{ type: 'text', text: 'Yes' }] };

function call(status: ToolCallState, changes = false): Entry {
  return {
    kind: 'toolCall',
    toolCallId: 'call',
    title: 'Edit',
    toolKind: 'edit',
    status,
    content: changes ? [{ type: 'diff', path: '/a', oldText: 'a', newText: 'b' }] : [],
    locations: [],
  };
}

const failedTurn: Entry = {
  kind: 'turn',
  outcome: {
    type: 'failed',
    failure: { code: 'internal', title: 'No', detail: 'It failed.', actions: [] },
    canResend: true,
  },
};

class Example {
  entries: Entry[] = [];
  readonly outline = new Outline(() => this.entries);

  add(...entries: readonly Entry[]): void {
    const from = this.entries.length;
    this.entries.push(...entries);
    this.outline.note({ type: 'appended', from, to: this.entries.length });
  }

  replace(index: number, entry: Entry): void {
    this.entries[index] = entry;
    this.outline.note({ type: 'updated', index });
  }
}

function turns({ outline }: Example): readonly number[] {
  return outline.allTurns().map(({ index }) => index);
}

describe('the outline of a transcript', () => {
  it('finds the next and previous turn, tool call, change and error', () => {
    const example = new Example();
    example.add(user('One'), call('completed', true), call('failed'), answer);
    example.add(user('Two'), call('completed'), failedTurn);
    const { outline } = example;
    assert.equal(outline.seek('turn', 'next', 0), 4);
    assert.equal(outline.seek('turn', 'previous', 4), 0);
    assert.equal(outline.seek('turn', 'previous', 3), 0);
    assert.equal(outline.seek('turn', 'next', 4), undefined);
    assert.equal(outline.seek('turn', 'previous', 0), undefined);
    assert.equal(outline.seek('turn', 'previous', 1_000_000), 4);
    assert.equal(outline.seek('toolCall', 'next', 2), 5);
    assert.equal(outline.seek('toolCall', 'previous', 1), undefined);
    assert.equal(outline.seek('diff', 'previous', 6), 1);
    assert.equal(outline.seek('error', 'next', 0), 2);
    assert.equal(outline.seek('error', 'next', 2), 6);
  });

  it('knows of an entry what it has become', () => {
    const example = new Example();
    example.add(user('One'), call('in_progress'), answer);
    const before = example.outline.version;
    example.replace(1, call('failed', true));
    assert.notEqual(example.outline.version, before);
    assert.deepEqual(example.outline.marks(), { turn: [0], diff: [1], error: [1] });
    example.replace(1, call('completed'));
    assert.deepEqual(example.outline.marks(), { turn: [0], diff: [], error: [] });
    const after = example.outline.version;
    example.replace(2, answer);
    assert.equal(example.outline.version, after);
  });

  it('PE-6: takes a call that was rejected for no error', () => {
    const example = new Example();
    example.add(user('Go'), call('rejected', true), call('failed'));
    assert.equal(example.outline.seek('error', 'next', 0), 2);
    assert.deepEqual(example.outline.marks().error, [2]);
  });

  it('counts a prompt that follows one that was never answered as a turn of its own', () => {
    const example = new Example();
    example.add(
      { ...user('One'), messageId: '1' } as Entry,
      { ...user('…'), messageId: '1' } as Entry,
    );
    example.add({ ...user('Two'), messageId: '2' } as Entry, answer);
    assert.deepEqual(
      example.outline.allTurns().map(({ index }) => index),
      [0, 2],
    );
  });

  it('counts messages of the user that follow each other as one turn', () => {
    const example = new Example();
    example.add(answer, user('One'), user('and more'), answer, user('Two'));
    assert.equal(example.outline.findTurn(0), undefined);
    assert.deepEqual(example.outline.findTurn(3), { index: 1, number: 1, prompt: 'One' });
    assert.deepEqual(example.outline.findTurn(4), { index: 4, number: 2, prompt: 'Two' });
    assert.deepEqual(
      example.outline.allTurns().map((turn) => example.outline.getRange(turn)),
      [
        { start: 1, end: 4 },
        { start: 4, end: 5 },
      ],
    );
  });

  it('names the turns that rows belong to, the one above them included', () => {
    const example = new Example();
    for (let turn = 0; turn < 20; turn++) {
      example.add(user(`Question ${turn}`), answer, answer);
    }
    const numbers = (start: number, end: number): number[] =>
      example.outline.turnsIn(start, end).map(({ number }) => number);
    assert.deepEqual(numbers(4, 9), [2, 3]);
    assert.deepEqual(numbers(3, 4), [2]);
    assert.deepEqual(numbers(58, 60), [20]);
    assert.deepEqual(numbers(0, 0), []);
  });

  it('makes one clean line of a prompt', () => {
    const example = new Example();
    example.add(user(`\u001b[31mMake\u202e it\n\n  red ${'!'.repeat(500)}`), answer);
    example.add({ kind: 'user', blocks: [{ type: 'image', mimeType: 'image/png', data: '' }] });
    const [red, image] = example.outline.allTurns();
    assert.match(red?.prompt ?? '', /^Make it red !+…$/);
    assert.ok((red?.prompt.length ?? 0) < 200);
    assert.equal(image?.prompt, 'Image');
  });

  it('marks a few hundred places however long the transcript is, and leaves them where they are', () => {
    const example = new Example();
    for (let turn = 0; turn < 30_000; turn++) {
      example.add(user(String(turn)), call('failed', true), answer);
    }
    const { turn, diff, error } = example.outline.marks();
    for (const marks of [turn, diff, error]) {
      assert.ok(marks.length > 150 && marks.length <= 400, String(marks.length));
      assert.ok((marks.at(-1) ?? 0) > 89_000);
    }
    assert.ok(turn.every((index) => example.entries[index]?.kind === 'user'));
    example.add(user('Another'), answer);
    assert.deepEqual(example.outline.marks().turn.slice(0, turn.length), turn);
  });

  it('forgets all that a replay replaces', () => {
    const example = new Example();
    example.add(user('One'), call('failed'));
    example.entries = [answer, user('Other')];
    example.outline.note({ type: 'reset' });
    assert.deepEqual(example.outline.marks(), { turn: [1], diff: [], error: [] });
    assert.equal(example.outline.seek('toolCall', 'next', 0), undefined);
  });

  it('includes the entries that existed before it', () => {
    const outline = new Outline(() => [user('One'), answer]);
    assert.equal(outline.turnCount, 1);
  });

  it('V2-MSG-4: a cleared prompt is no turn, and the one after it is one; it is again when it comes back', () => {
    const example = new Example();
    const prompt = (blocks: readonly string[]): Entry => ({
      ...{ kind: 'user', messageId: 'a' },
      blocks: blocks.map((text) => ({ type: 'text', text })),
    });
    example.add(prompt(['First']), prompt(['goes on']), answer, user('Second'));
    assert.deepEqual(turns(example), [0, 3]);
    example.replace(0, prompt([]));
    assert.deepEqual(turns(example), [1, 3]);
    example.replace(0, prompt(['First']));
    assert.deepEqual(turns(example), [0, 3]);
    example.replace(2, { kind: 'agent', blocks: [] });
    assert.deepEqual(turns(example), [0], 'nothing is between the prompts any more');
  });

  it('V2-DIFF-2: a deleted or moved file is a change', () => {
    const example = new Example();
    const change = { type: 'fileChange', operation: 'delete', path: '/a' } as const;
    example.add(user('Go'), { ...call('completed'), content: [change] } as Entry);
    assert.equal(example.outline.seek('diff', 'next', 0), 1);
  });
});
