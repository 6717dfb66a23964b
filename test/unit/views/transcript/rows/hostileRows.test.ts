import assert from 'node:assert/strict';
import type { FormField } from '../../../../../src/shared/requests/agentQuestions';
import type { ToolContent } from '../../../../../src/shared/transcript/content';
import type { DrawnEntry } from '../../../../../src/shared/transcript/drawn';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { Effort } from '../../../../../src/util/effort';
import { drawRow } from '../../../../../src/views/transcript/rows/draw';
import { nested } from '../../../../support/nested';
import { fc, tries } from '../../../../support/properties';
import { callOf, hardDiff, many, maxEffort, rowOf } from './hardRows';

const maxBytes = 1_000_000;
const maxImages = 20_000_000;

/** The bytes sent for a row, without its images; fails if a row exceeds its bounds. */
function sentBytes(row: DrawnEntry): number {
  let images = 0;
  const text = JSON.stringify(row, (_name, value: unknown) => {
    const image = value as { type?: unknown; data?: unknown } | null;
    if (image?.type === 'image' && typeof image.data === 'string') {
      images += image.data.length;
      return { ...image, data: '' };
    }
    return value;
  });
  assert.ok(images <= maxImages, `${images} characters of images`);
  return Buffer.byteLength(text);
}

const long = 'x'.repeat(30_000_000);
const url = 'https://example.org/';
const base = { title: 'T', required: false };

const huge: Readonly<Record<string, Entry>> = {
  'a title of 30 MB': callOf({ title: long }),
  'a plan of 18 MB': {
    kind: 'plan',
    items: many(60_000, (at) => ({
      content: `${at} ${'y'.repeat(300)}`,
      priority: 'high',
      status: 'pending',
    })),
  },
  'a plan with one line of 30 MB': {
    kind: 'plan',
    items: [{ content: long, priority: 'high', status: 'pending' }],
  },
  '40 images in a row': {
    kind: 'agent',
    blocks: many(40, () => ({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(7_900_000) })),
  },
  '100,000 locations': callOf({ locations: many(100_000, (at) => ({ path: `/project/${at}` })) }),
  'locations of megabytes': callOf({ locations: many(20, () => ({ path: long })) }),
  '2,000 blocks of 100 KB': {
    kind: 'agent',
    blocks: many(2000, () => ({ type: 'text', text: 'z'.repeat(100_000) })),
  },
  'control characters, each of which is sent as six': {
    kind: 'agent',
    blocks: many(10, () => ({ type: 'text', text: '\u0000'.repeat(100_000) })),
  },
  'a link of 30 MB': {
    kind: 'agent',
    blocks: [{ type: 'resource_link', uri: `${url}${long}`, name: long }],
  },
  'a name of an unknown block': { kind: 'agent', blocks: [{ type: 'unknown', label: long }] },
  '50,000 options': {
    kind: 'permission',
    requestId: 1,
    toolCall: callOf({ title: long }),
    options: many(50_000, (at) => ({
      optionId: String(at),
      name: 'n'.repeat(400),
      kind: 'allow_once',
    })),
    state: { kind: 'waiting' },
  },
  'a form of 2,000 fields with 200 choices each': {
    kind: 'elicitation',
    requestId: 1,
    message: long,
    ask: {
      mode: 'form',
      fields: many(2000, (at) => ({
        type: 'select',
        name: `f${at}`,
        title: 'T',
        required: false,
        choices: many(200, (choice) => ({ value: String(choice), title: 'c' })),
      })),
    },
    state: { kind: 'waiting' },
  },
  'an address of 30 MB': {
    kind: 'elicitation',
    requestId: 1,
    message: 'Open',
    ask: { mode: 'url', url: `${url}${long}`, elicitationId: 'e' },
    state: { kind: 'waiting' },
  },
  'an answer of many fields': {
    kind: 'elicitation',
    requestId: 1,
    message: 'Fill in',
    ask: { mode: 'form', fields: [] },
    state: {
      kind: 'accepted',
      values: Object.fromEntries(many(100_000, (at) => [`field${at}`, 'v'.repeat(100)])),
    },
  },
  'a reason of 30 MB': { kind: 'turn', outcome: { type: 'stopped', stopReason: long } },
  'a failure of 30 MB': {
    kind: 'turn',
    outcome: {
      type: 'failed',
      canResend: false,
      failure: { code: 'internal', title: long, detail: long, actions: [] },
    },
  },
  'a compaction of 30 MB': {
    kind: 'compaction',
    compactionId: 'c',
    status: long,
    summary: [],
    error: long,
  },
  '100,000 terminals': callOf({
    content: many(100_000, (at) => ({ type: 'terminal', terminalId: String(at) })),
    terminalOutput: new Map([['0', long]]),
  }),
  '2,000 changes that are hard to compare': callOf({ content: many(2000, hardDiff) }),
};

describe('rows of what a hostile agent sends', () => {
  for (const [name, entry] of Object.entries(huge)) {
    it(`SEC-101: are bounded, and say that they are: ${name}`, () => {
      const effort = new Effort(maxEffort);
      const row = rowOf(entry, effort);
      assert.equal(row.kind, entry.kind);
      assert.ok(sentBytes(row) <= maxBytes);
      assert.equal(row.shortened, true);
    });
  }

  it('are left alone when they are large but fit', () => {
    const entry: Entry = {
      kind: 'agent',
      blocks: many(8, () => ({ type: 'text', text: 'a'.repeat(100_000) })),
    };
    const row = rowOf(entry);
    assert.equal(row.shortened, undefined);
    assert.ok(row.kind === 'agent' && row.blocks.every((block) => 'omitted' in block));
  });

  it('show the images that there is room for, and name the others', () => {
    const entry = huge['40 images in a row'];
    assert.ok(entry);
    const row = rowOf(entry);
    assert.ok(row.kind === 'agent');
    assert.deepEqual(
      row.blocks.slice(0, 3).map(({ type }) => type),
      ['image', 'image', 'label'],
    );
    assert.equal(row.blocks.length, 40);
  });

  it('never have half of an id or an address', () => {
    const options = many(100, (at) => ({
      optionId: `${at}${'i'.repeat(30_000)}`,
      name: 'Allow',
      kind: 'allow_once' as const,
    }));
    const row = rowOf({
      kind: 'permission',
      requestId: 1,
      toolCall: callOf({}),
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }, ...options],
      state: { kind: 'waiting' },
    });
    assert.ok(row.kind === 'permission' && row.shortened);
    const shown = row.options.length;
    assert.ok(shown > 5 && shown < 100, String(shown));
    assert.deepEqual(
      row.options.map(({ optionId }) => optionId),
      ['yes', ...options.map(({ optionId }) => optionId)].slice(0, shown),
    );
  });

  it('EL-6: ask for nothing under another name, with another default or for another value', () => {
    const long = 'x'.repeat(8000);
    const fields = many(
      400,
      (at): FormField =>
        at % 2 === 0
          ? { ...base, type: 'string', name: `${at}${long}`, initial: `${at}${long}` }
          : {
              ...base,
              type: 'select',
              name: String(at),
              choices: many(10, (choice) => ({ value: `${choice}${long}`, title: 'A choice' })),
            },
    );
    const row = rowOf({
      kind: 'elicitation',
      requestId: 1,
      message: 'Fill in',
      ask: { mode: 'form', fields },
      state: { kind: 'waiting' },
    });
    assert.ok(row.kind === 'elicitation' && row.shortened && row.ask.mode === 'form');
    assert.ok(row.ask.fields.length > 0);
    for (const [at, field] of row.ask.fields.entries()) {
      const asked = fields[at];
      assert.ok(asked);
      assert.equal(field.name, asked.name);
      if (field.type === 'select' && asked.type === 'select') {
        assert.deepEqual(field.choices, asked.choices.slice(0, field.choices.length));
      } else {
        assert.deepEqual(field, asked);
      }
    }
  });

  it('say that they cannot be drawn if no whole id fits', () => {
    const option = { optionId: 'i'.repeat(1_000_001), name: 'Allow', kind: 'allow_once' as const };
    const row = rowOf({
      kind: 'permission',
      requestId: 1,
      toolCall: callOf({}),
      options: [option],
      state: { kind: 'waiting' },
    });
    assert.deepEqual(row, { kind: 'unshown', reason: 'broken' });
  });

  it('SEC-103: take no more work than there is, however many changes a call has', () => {
    const effort = new Effort(maxEffort);
    const row = rowOf(callOf({ content: many(60, hardDiff) }), effort);
    assert.ok(row.kind === 'toolCall');
    assert.equal(row.content.length, 60);
    // The last step may exceed the budget slightly.
    assert.ok(effort.isSpent);
    const diffs = row.content.filter((part) => part.type === 'diff');
    assert.deepEqual(
      new Set(diffs.map(({ added, removed, cut }) => `${added} ${removed} ${cut}`)),
      new Set(['3000 3000 true']),
    );
  });

  it('show a change that is too different to compare as removed and added, if it is short', () => {
    const lines = (word: string): string => many(400, (line) => `${word} ${line}`).join('\n');
    const diff: ToolContent = {
      type: 'diff',
      path: 'a',
      oldText: `same\n${lines('old')}\nend`,
      newText: `same\n${lines('new')}\nend`,
    };
    const row = rowOf(callOf({ content: [diff] }));
    assert.ok(row.kind === 'toolCall');
    const [drawn] = row.content;
    assert.ok(drawn?.type === 'diff');
    assert.deepEqual([drawn.added, drawn.removed, drawn.cut], [400, 400, true]);
    assert.deepEqual(drawn.lines.slice(0, 2), [
      { type: 'same', text: 'same' },
      { type: 'removed', text: 'old 0' },
    ]);
  });

  it('TO-7: say of raw input that is nested too deeply that it is', () => {
    for (const depth of [600, 5000, 200_000]) {
      const row = rowOf(callOf({ rawInput: nested(depth, 'end') }));
      assert.ok(row.kind === 'toolCall' && row.rawInput);
      assert.match(row.rawInput.text, /too deeply/);
    }
    const row = rowOf(callOf({ rawInput: nested(90, 'end') }));
    assert.ok(row.kind === 'toolCall' && row.rawInput?.text.includes('"end"'));
  });

  it('stand for an entry that cannot be drawn, and say why in the log', () => {
    const faults: unknown[] = [];
    const broken = callOf({ locations: undefined as unknown as [] });
    const row = drawRow(broken, '/project', new Effort(1), (error) => faults.push(error));
    assert.deepEqual(row, { kind: 'unshown', reason: 'broken' });
    assert.equal(faults.length, 1);
  });

  it('SEC-101: are bounded and can be sent, whatever is in them', () => {
    const text = fc.oneof(
      fc.constantFrom('z', '\u0000').map((unit) => unit.repeat(20_000)),
      fc.string({ maxLength: 20, unit: 'binary' }),
      fc.constantFrom('\u0000', '\ud800', '"', '…').map((unit) => unit.repeat(2000)),
      fc.constantFrom('short', '/project/a'),
    );
    const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
      fc
        .tuple(item, fc.constantFrom(0, 1, 3, 2000))
        .map(([one, count]) => [...many(count, () => one)]);
    const block = fc.oneof(
      fc.record({ type: fc.constant('text'), text }),
      fc.record({ type: fc.constant('image'), mimeType: fc.constant('image/png'), data: text }),
      fc.record({ type: fc.constant('audio'), mimeType: text, data: text }),
      fc.record({ type: fc.constant('resource_link'), uri: text, name: text, description: text }),
      fc.record({ type: fc.constant('resource'), uri: text, text }),
      fc.record({ type: fc.constant('unknown'), label: text }),
    );
    const content = fc.oneof(
      fc.record({ type: fc.constant('content'), block }),
      fc.record({ type: fc.constant('diff'), path: text, oldText: text, newText: text }),
      fc.record({ type: fc.constant('terminal'), terminalId: text }),
    );
    const entry = fc.oneof(
      fc.record({ kind: fc.constantFrom('user', 'agent', 'thought'), blocks: list(block) }),
      fc.record({
        kind: fc.constant('toolCall'),
        title: text,
        toolKind: fc.constant('edit'),
        status: fc.constant('completed'),
        content: list(content),
        locations: list(fc.record({ path: text })),
        rawInput: fc.oneof(fc.constant(nested(3000)), text, list(text)),
      }),
      fc.record({
        kind: fc.constant('plan'),
        items: list(
          fc.record({
            content: text,
            priority: text,
            status: text,
            more: fc.constant(nested(200)),
          }),
        ),
      }),
    );
    fc.assert(
      fc.property(entry, (hostile) => {
        assert.ok(sentBytes(rowOf(hostile as unknown as Entry)) <= maxBytes);
      }),
      tries(100),
    );
  });
});
