import assert from 'node:assert/strict';
import { maxItems } from '../../../../src/protocol/bounds';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import type { ToolContent } from '../../../../src/shared/transcript/content';
import type { PlanEntry, ToolCallEntry } from '../../../../src/shared/transcript/entries';
import { fc } from '../../../support/properties';
import { call, change, entriesOf, transcriptOf, user } from '../updates';

const text = (value: string): ToolContent => ({
  type: 'content',
  block: { type: 'text', text: value },
});
const piece = (toolCallId: string, ...content: readonly ToolContent[]): SessionUpdate => ({
  sessionUpdate: 'tool_call_content_chunk',
  toolCallId,
  content,
});

function only(...updates: readonly SessionUpdate[]): ToolCallEntry {
  const [entry, ...others] = entriesOf(...updates);
  assert.ok(entry?.kind === 'toolCall' && others.length === 0);
  return entry;
}

describe('Content of a tool call in pieces', () => {
  it('V2-TOOL-3, V2-TOOL-4: is added to what the call has, which an update replaces', () => {
    const before = [call('c', { content: [text('a')] }), piece('c', text('b'))];
    assert.deepEqual(only(...before).content, [text('a'), text('b')]);
    const replaced = only(...before, change('c', { content: [text('x')] }), piece('c', text('y')));
    assert.deepEqual(replaced.content, [text('x'), text('y')]);
    assert.deepEqual(only(...before, change('c', { content: [] })).content, []);
  });

  it('V2-TOOL-3: takes the place of a result that was only in the raw output', () => {
    const ended = [call('c'), change('c', { status: 'completed', rawOutput: 'raw' })];
    assert.deepEqual(only(...ended).content, [text('raw')]);
    const pieces = [piece('c', text('a')), change('c', { title: 'C' }), piece('c', text('b'))];
    assert.deepEqual(only(...ended, ...pieces).content, [text('a'), text('b')]);
    const own = change('c', { content: [text('raw')] });
    assert.deepEqual(only(...ended, own, piece('c', text('a'))).content, [text('raw'), text('a')]);
  });

  it('V2-TOOL-1: begins a call that isn’t known, with the defaults', () => {
    assert.deepEqual(only(piece('c', text('a'))), {
      ...{ kind: 'toolCall', toolCallId: 'c', title: 'Tool call', toolKind: 'other' },
      ...{ status: 'pending', content: [text('a')], locations: [] },
    });
  });

  it('V2-TOOL-3: is bounded, with one note for all that is left out', () => {
    const transcript = transcriptOf(call('c'));
    for (let count = 0; count < maxItems + 100; count++) {
      transcript.apply(piece('c', text(`${count}`)));
    }
    const content = transcript.toolCall('c')?.content ?? [];
    assert.equal(content.length, maxItems + 1);
    assert.deepEqual(content.at(-1), text('… The rest is left out'));
    transcript.apply(change('c', { content: [] }));
    transcript.apply(piece('c', text('again')));
    assert.deepEqual(transcript.toolCall('c')?.content, [text('again')]);
  });

  it('V2-TOOL-3, V2-TOOL-4: in any order they give what a list would give', () => {
    const some = fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 });
    const steps = fc.array(fc.tuple(fc.constantFrom('x', '__proto__'), fc.boolean(), some), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const lists = new Map<string, ToolContent[]>();
        const updates = all.map(([id, isPiece, values]) => {
          const content = values.map(text);
          lists.set(id, [...(isPiece ? (lists.get(id) ?? []) : []), ...content]);
          return isPiece ? piece(id, ...content) : change(id, { content });
        });
        const transcript = transcriptOf(...updates);
        for (const [id, content] of lists) {
          assert.deepEqual(transcript.toolCall(id)?.content, content);
        }
      }),
    );
  });
});

describe('Tool calls of agents of version 2', () => {
  it('V2-TOOL-2: null clears the title, the name and the raw values', () => {
    const before = call('c', { title: 'T', name: 'n', rawInput: 1, rawOutput: 2 });
    const cleared = { title: null, name: null, rawInput: null, rawOutput: null };
    const after = only(before, change('c', cleared));
    assert.equal(after.title, 'Tool call');
    assert.deepEqual(
      ['name' in after, 'rawInput' in after, 'rawOutput' in after],
      [false, false, false],
    );
    assert.equal(only(before, change('c', { title: null })).title, 'n');
  });

  it('V2-TOOL-5: a paused call isn’t at an end, a canceled one is', () => {
    const transcript = transcriptOf(
      call('p', { status: 'paused' }),
      call('c', { status: 'cancelled' }),
      call('q', { status: 'paused' }),
    );
    assert.equal(transcript.isOpen('p'), true);
    assert.equal(transcript.isOpen('c'), false);
    assert.equal(transcript.hasUnfinished(0), true);
    transcript.cancelUnfinished(2);
    transcript.settle();
    const statuses = ['p', 'c', 'q'].map((id) => transcript.toolCall(id)?.status);
    assert.deepEqual(statuses, ['interrupted', 'cancelled', 'cancelled']);
    transcript.apply(change('p', { status: 'in_progress' }));
    assert.equal(transcript.isOpen('p'), true);
  });
});

describe('Plans of agents of version 2', () => {
  const plan = (planId: string | undefined, ...contents: readonly string[]): SessionUpdate => ({
    sessionUpdate: 'plan',
    ...(planId !== undefined && { planId }),
    entries: contents.map((content) => ({ content, priority: 'medium', status: 'pending' })),
  });
  const shown = (...updates: readonly SessionUpdate[]): readonly (readonly unknown[])[] =>
    entriesOf(...updates).map((entry) => {
      assert.ok(entry.kind === 'plan');
      const { planId, items, blocks }: PlanEntry = entry;
      return [planId, ...items.map(({ content }) => content), ...(blocks ?? [])];
    });

  it('V2-PLAN-1, PL-1: each id has a plan of its own, which is replaced in place', () => {
    const updates = [plan('a', '1'), plan(undefined, '2'), plan('b', '3'), plan('a', '4', '5')];
    assert.deepEqual(shown(...updates), [
      ['a', '4', '5'],
      [undefined, '2'],
      ['b', '3'],
    ]);
  });

  it('V2-PLAN-3: a plan may be a text, which replaces the list and is replaced by one', () => {
    const block = { type: 'text', text: '# Do it' } as const;
    const prose = { ...plan('a'), blocks: [block] } as SessionUpdate;
    assert.deepEqual(shown(prose), [['a', block]]);
    assert.deepEqual(shown(plan('a', '1'), prose), [['a', block]]);
    assert.deepEqual(shown(prose, plan('a', '1')), [['a', '1']]);
  });

  it('V2-PLAN-4: a plan that is removed has nothing; it may come back; one that isn’t known does nothing', () => {
    const removed: SessionUpdate = { sessionUpdate: 'plan_removed', planId: 'a' };
    assert.deepEqual(shown(removed, plan('a'), plan('b', '1'), removed), [['b', '1']]);
    assert.deepEqual(shown(plan('a', '1'), plan('b', '2'), removed), [['a'], ['b', '2']]);
    assert.deepEqual(shown(plan('a', '1'), removed, plan('a', '2')), [['a', '2']]);
  });

  it('V2-PLAN-1, PL-1: one that changes in a later turn is shown there, and stays as it was before', () => {
    const shownWith = (...updates: readonly SessionUpdate[]) =>
      entriesOf(plan('a', '1'), plan('a', '2'), user('more'), ...updates).flatMap((entry) =>
        entry.kind === 'plan' ? [entry.items.map(({ content }) => content).join()] : [entry.kind],
      );
    assert.deepEqual(shownWith(plan('a', '3'), plan('a', '4')), ['2', 'user', '4']);
    assert.deepEqual(shownWith(plan('a', '2')), ['2', 'user'], 'the same once more');
    const removed: SessionUpdate = { sessionUpdate: 'plan_removed', planId: 'a' };
    assert.deepEqual(shownWith(removed), ['', 'user']);
    assert.deepEqual(shownWith(plan('a', '3'), removed), ['2', 'user', '']);
  });

  it('V2-PLAN-1: their number is bounded', () => {
    const many = Array.from({ length: 1_100 }, (_, at) => plan(`${at}`, 'x'));
    assert.equal(entriesOf(...many, plan('5', 'y')).length, 1_000);
  });
});
