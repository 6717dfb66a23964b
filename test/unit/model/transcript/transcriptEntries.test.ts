import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/model/transcript/transcript';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import type { CompactionEntry, TranscriptChange } from '../../../../src/shared/transcript/entries';
import { agent, call, change, entriesOf, transcriptOf, unknown, user } from '../updates';

describe('Transcript: plans, compactions and the rest', () => {
  const plan = (...contents: readonly string[]): SessionUpdate => ({
    sessionUpdate: 'plan',
    entries: contents.map((content) => ({ content, priority: 'medium', status: 'pending' })),
  });

  it('PL-1, PL-2: each plan replaces the one before, in its place', () => {
    const entries = entriesOf(plan('a', 'b', 'c'), agent('x'), plan('d'));
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['plan', 'agent'],
    );
    assert.deepEqual(entries[0], {
      kind: 'plan',
      items: [{ content: 'd', priority: 'medium', status: 'pending' }],
    });
  });

  it('PL-1: an empty plan where there is none is nothing, else it empties the plan', () => {
    assert.deepEqual(entriesOf(plan()), []);
    assert.deepEqual(entriesOf(plan('a'), plan()), [{ kind: 'plan', items: [] }]);
  });

  const items = (entries: ReturnType<typeof entriesOf>): unknown => {
    const last = entries.findLast(({ kind }) => kind === 'plan');
    return last?.kind === 'plan' && last.items.map(({ content, status }) => `${content} ${status}`);
  };
  const merged = (...all: readonly (readonly [string, string, 'pending' | 'completed'])[]) => ({
    ...({ sessionUpdate: 'plan', merges: true } as const),
    entries: all.map(([id, content, status]) => ({
      id,
      content,
      status,
      priority: 'medium' as const,
    })),
  });

  it('EX-8: a plan of changed items changes these, by their ids or texts, and adds new ones', () => {
    const first = merged(['1', 'a', 'pending'], ['2', 'b', 'pending']);
    const second = merged(['2', 'b2', 'completed'], ['3', 'c', 'pending']);
    assert.deepEqual(items(entriesOf(first, agent('x'), second)), [
      'a pending',
      'b2 completed',
      'c pending',
    ]);
    const third = merged(['1', 'a', 'completed']);
    const fourth = merged(['1', 'a2', 'completed']);
    assert.deepEqual(items(entriesOf(plan('a', 'b'), third, fourth)), [
      'a2 completed',
      'b pending',
    ]);
    const later = entriesOf(user('do'), first, user('go on'), second);
    assert.equal(later.filter(({ kind }) => kind === 'plan').length, 2);
  });

  it('EX-8: a plan that is merged without end stays bounded', () => {
    const many = (at: number) =>
      merged(
        ...Array.from(
          { length: 2_000 },
          (_, i) => [`${at} ${i}`, `${at} ${i}`, 'pending'] as const,
        ),
      );
    const [entry] = entriesOf(many(1), many(2), many(3));
    assert.ok(entry?.kind === 'plan');
    assert.equal(entry.items.length, 2_000);
  });

  describe('UP-3: what isn’t known here', () => {
    const counts = (...updates: readonly SessionUpdate[]): readonly unknown[] =>
      entriesOf(...updates).map((entry) =>
        entry.kind === 'unknown' ? [entry.name, entry.count] : entry.kind,
      );

    it('is an entry with its form, for each name and turn', () => {
      assert.deepEqual(entriesOf(unknown('a', '{"much": 1}')), [
        { kind: 'unknown', what: 'update', name: 'a', raw: '{"much": 1}', count: 1 },
      ]);
      const [a, b] = [unknown('a'), unknown('b')];
      assert.deepEqual(counts(user('do'), a, agent('x'), b, a, a, user('go on'), a), [
        'user',
        ['a', 3],
        'agent',
        ['b', 1],
        'user',
        ['a', 1],
      ]);
    });

    it('has 20 names in a turn at most', () => {
      const names = Array.from({ length: 40 }, (_, index) => unknown(`u${index}`));
      assert.equal(counts(...names, ...names).length, 20);
    });
  });

  const compaction = (
    more: Partial<
      Omit<Extract<SessionUpdate, { sessionUpdate: 'compaction_update' }>, 'sessionUpdate'>
    >,
  ): SessionUpdate => ({
    sessionUpdate: 'compaction_update',
    compactionId: 'k',
    status: 'in_progress',
    ...more,
  });
  const summary = (value: string): SessionUpdate => ({
    sessionUpdate: 'compaction_summary_chunk',
    compactionId: 'k',
    content: { type: 'text', text: value },
  });
  function compacted(...updates: readonly SessionUpdate[]): CompactionEntry {
    const [first, ...others] = entriesOf(...updates).filter(({ kind }) => kind === 'compaction');
    assert.ok(first?.kind === 'compaction' && others.length === 0);
    return first;
  }

  it('CP-2: the first update fixes the place, later ones patch there', () => {
    const entries = entriesOf(
      agent('a'),
      compaction({}),
      agent('b'),
      compaction({ status: 'completed', summary: [{ type: 'text', text: 'sum' }] }),
    );
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['agent', 'compaction', 'agent'],
    );
    assert.deepEqual(entries[1], {
      kind: 'compaction',
      compactionId: 'k',
      status: 'completed',
      summary: [{ type: 'text', text: 'sum' }],
    });
  });

  it('CP-2: absent keeps, null clears', () => {
    const full = compaction({ summary: [{ type: 'text', text: 'sum' }], error: 'oh' });
    assert.equal(compacted(full, compaction({})).error, 'oh');
    assert.equal(compacted(full, compaction({})).summary.length, 1);
    const cleared = compacted(full, compaction({ summary: null, error: null }));
    assert.deepEqual(cleared.summary, []);
    assert.ok(!('error' in cleared));
    const error = { sessionUpdate: 'compaction_update', compactionId: 'k', error: 'oh' } as const;
    assert.equal(compacted(compaction({ status: 'failed' }), error).status, 'failed');
    assert.equal(compacted(error).status, 'in_progress');
  });

  it('CP-3: chunks are added in order, also before the first update', () => {
    const first = compacted(summary('A'), summary('B'));
    assert.equal(first.status, 'in_progress');
    assert.deepEqual(first.summary, [{ type: 'text', text: 'AB' }]);
    const { summary: blocks } = compacted(
      summary('A'),
      compaction({ summary: [{ type: 'text', text: 'C' }] }),
      summary('D'),
    );
    assert.deepEqual(blocks, [{ type: 'text', text: 'CD' }]);
  });

  it("CP-4: the agent's own words for a status are kept", () => {
    assert.equal(compacted(compaction({ status: 'folding' })).status, 'folding');
  });

  it('NO-3, V2-NOTICE-2: what is no history is counted, and makes no entry and no event', () => {
    const transcript = new Transcript();
    let changes = 0;
    transcript.onDidChange(() => changes++);
    const facts: SessionUpdate[] = [
      { sessionUpdate: 'notice', severity: 'error', title: 'Oh' },
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
      { sessionUpdate: 'session_info_update', title: 'x' },
      { sessionUpdate: 'available_commands_update', availableCommands: [] },
      { sessionUpdate: 'current_mode_update', currentModeId: 'x' },
      { sessionUpdate: 'config_option_update', configOptions: [] },
    ];
    for (const fact of facts) {
      transcript.apply(fact);
    }
    assert.deepEqual(transcript.entries, []);
    assert.equal(transcript.updates, facts.length);
    assert.equal(changes, 0);
  });

  it('says what became different, update by update', () => {
    const transcript = new Transcript();
    const changes: TranscriptChange[] = [];
    transcript.onDidChange((it) => changes.push(it));
    for (const update of [agent('a'), agent('b'), call('c'), change('c', {}), agent('d')]) {
      transcript.apply(update);
    }
    transcript.reset();
    assert.deepEqual(changes, [
      { type: 'appended', from: 0, to: 1 },
      { type: 'updated', index: 0 },
      { type: 'appended', from: 1, to: 2 },
      { type: 'updated', index: 1 },
      { type: 'appended', from: 2, to: 3 },
      { type: 'reset' },
    ]);
  });

  it('T-10: after a reset nothing of before is found', () => {
    const transcript = transcriptOf(agent('a', '1'), call('c'), plan('p'), compaction({}));
    transcript.reset();
    assert.equal(transcript.updates, 0);
    for (const update of [change('c', {}), plan('q'), summary('s'), agent('b', '1')]) {
      transcript.apply(update);
    }
    assert.deepEqual(
      transcript.entries.map(({ kind }) => kind),
      ['toolCall', 'plan', 'compaction', 'agent'],
    );
  });
});
