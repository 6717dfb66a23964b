import assert from 'node:assert/strict';
import {
  cachedEntry,
  readCachedEntry,
} from '../../../../../src/features/cachedTranscripts/model/cachedEntry';
import type { NestedEntries } from '../../../../../src/model/transcript/shownTranscript';
import { Transcript } from '../../../../../src/model/transcript/transcript';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { fc, tries } from '../../../../support/properties';
import { agent, call, entriesOf, thought, user, whole } from '../../../model/updates';

/** What is read of these entries, through JSON. */
function again(entries: readonly Entry[]): {
  readonly entries: readonly Entry[];
  readonly nested: NestedEntries;
} {
  const read: Entry[] = [];
  const nested: NestedEntries = new Map();
  for (const index of entries.keys()) {
    const json = JSON.stringify(cachedEntry(entries, index)) as string | undefined;
    if (json !== undefined) {
      read.push(readCachedEntry(JSON.parse(json), read, nested));
    }
  }
  return { entries: read, nested };
}

describe('a cached entry', () => {
  it('is the entry that it was', () => {
    const entries = entriesOf(
      user('do', 'u'),
      thought('hm'),
      agent('so', 'a'),
      call('c', {
        status: 'completed',
        kind: 'edit',
        content: [{ type: 'diff', path: '/f', oldText: null, newText: 'x' }],
        locations: [{ path: '/f', line: 2 }],
        rawInput: { a: [1] },
        terminalOutput: [{ terminalId: 't', text: 'out', append: false }],
      }),
      { sessionUpdate: 'plan', entries: [{ content: 'p', priority: 'low', status: 'pending' }] },
      { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed', summary: [] },
    );
    assert.deepEqual(again(entries).entries, entries);
  });

  it('V2-TERM-1: has the sizes of terminals that are over, and none that can’t be one', () => {
    const [read] = entriesOf(
      call('c', {
        terminalOutput: [{ terminalId: 't', text: 'out', append: false }],
        terminalExit: { terminalId: 't', exitCode: 0, signal: null },
      }),
    );
    assert.ok(read?.kind === 'toolCall');
    const before = read.terminals?.get('t');
    assert.ok(before);
    const withSize = (columns: unknown): Entry => {
      const state = { ...before, size: { columns, rows: 24 } } as typeof before;
      return { ...read, status: 'completed', terminals: new Map([['t', state]]) };
    };
    assert.deepEqual(again([withSize(40)]).entries, [withSize(40)]);
    for (const columns of [0, -1, 1.5, '40', null]) {
      const [entry] = again([withSize(columns)]).entries;
      assert.ok(entry?.kind === 'toolCall');
      assert.equal(entry.terminals?.get('t')?.size, undefined);
    }
  });

  it('V2-MSG-1, V2-TOOL-5, V2-DIFF-2, V2-PLAN-1 to V2-PLAN-3: has all that only version 2 says', () => {
    const op = fc.constantFrom('add', 'delete', 'modify', 'move', 'copy', 'other');
    const word = fc.string({ maxLength: 6 });
    const optional = { requiredKeys: [] as [] };
    const fileChange = fc
      .tuple(
        op,
        word,
        fc.record(
          { oldPath: word, fileType: fc.constantFrom('text', 'binary', 'directory', 'symlink') },
          optional,
        ),
      )
      .map(
        ([operation, path, rest]) => ({ type: 'fileChange', operation, path, ...rest }) as const,
      );
    const content = fc.oneof(
      fileChange,
      word.map((text) => ({ type: 'content', block: { type: 'text', text } }) as const),
      fc.constant({ type: 'diff', path: '/d', oldText: 'a', newText: 'b' } as const),
    );
    const text = word
      .filter((each) => each !== '')
      .map((each) => ({ type: 'text', text: each }) as const);
    const update: fc.Arbitrary<SessionUpdate> = fc.oneof(
      fc
        .tuple(fc.constantFrom('agent', 'thought'), word, text)
        .map(([of, id, block]) => whole(of, id, [block])),
      fc
        .tuple(word, fc.array(content, { maxLength: 4 }), fc.constantFrom('completed', 'cancelled'))
        .map(([id, parts, status]) => call(id, { content: parts, status, rawOutput: 'out' })),
      fc
        .tuple(
          fc.option(word, { nil: undefined }),
          fc.array(
            fc.record({
              content: word,
              priority: fc.constant('low' as const),
              status: fc.constantFrom('pending', 'in_progress', 'completed', 'cancelled'),
            }),
            { maxLength: 3 },
          ),
          fc.option(text, { nil: undefined }),
          fc.option(word, { nil: undefined }),
        )
        .map(([planId, entries, block, path]) => ({
          sessionUpdate: 'plan' as const,
          ...(planId && { planId }),
          entries: block ? [] : entries,
          ...(block && { blocks: [block], ...(path && { path }) }),
        })),
    );
    fc.assert(
      fc.property(fc.array(update, { maxLength: 12 }), (updates) => {
        const entries = entriesOf(...updates);
        const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        assert.deepEqual(json(again(entries).entries), json(entries));
      }),
      tries(1500),
    );
  });

  it('V2-MSG-4, V2-PLAN-4: of a cleared message is none; of a removed plan is an empty one', () => {
    const entries = entriesOf(
      ...[whole('user', 'u', 'x'), whole('user', 'u', []), agent('so')],
      {
        sessionUpdate: 'plan',
        planId: 'p',
        entries: [{ content: 'p', priority: 'low', status: 'pending' }],
      },
      { sessionUpdate: 'plan_removed', planId: 'p' },
    );
    assert.deepEqual(again(entries).entries, entries.slice(1));
  });

  it('V2-TOOL-5: a paused call is interrupted', () => {
    const [entry] = again(entriesOf(call('c', { status: 'paused' }))).entries;
    assert.equal(entry?.kind === 'toolCall' && entry.status, 'interrupted');
  });

  it('V2-DIFF-6: what isn’t the change of a file isn’t one', () => {
    const meta = {
      fileChanges: [
        null,
        {},
        { at: 0 },
        { at: 0, operation: 'x', path: '/a' },
        { at: 0, operation: 'add', path: 1 },
      ],
    };
    const saved = {
      ...{ sessionUpdate: 'tool_call', toolCallId: 'c' },
      ...{ content: [{ type: 'content', content: { type: 'text', text: '/a' } }] },
      _meta: { acpSessions: meta },
    };
    const entry = readCachedEntry([saved], [], new Map());
    assert.deepEqual(entry.kind === 'toolCall' && entry.content, [
      { type: 'content', block: { type: 'text', text: '/a' } },
    ]);
  });

  it('never joins the entry before it', () => {
    const entries = [...entriesOf(agent('one')), ...entriesOf(agent('two'))];
    assert.equal(again(entries).entries.length, 2);
  });

  it('is at rest, with what only this client knows', () => {
    const [running] = entriesOf(call('c', { status: 'in_progress' }));
    const [done] = entriesOf(call('d', { status: 'failed' }));
    assert.ok(running?.kind === 'toolCall' && done?.kind === 'toolCall');
    const { entries } = again([
      running,
      { ...running, status: 'cancelled' },
      { ...done, status: 'rejected', dropped: true },
      { kind: 'agent', blocks: [{ type: 'text', text: 'x' }], dropped: true },
    ]);
    assert.deepEqual(
      entries.map((entry) => [
        'status' in entry ? entry.status : '',
        'dropped' in entry ? entry.dropped : false,
      ]),
      [
        ['interrupted', false],
        ['cancelled', false],
        ['rejected', true],
        ['', true],
      ],
    );
  });

  it('is none for requests and the ends of turns', () => {
    const turn: Entry = { kind: 'turn', outcome: { type: 'stopped', stopReason: 'cancelled' } };
    assert.deepEqual(again([turn]).entries, []);
  });

  it('of a subagent has its transcript, is drawn with its call, and isn’t at work', () => {
    const transcript = new Transcript();
    transcript.apply(call('start'));
    const turn: Entry = { kind: 'turn', outcome: { type: 'stopped', stopReason: 'cancelled' } };
    transcript.add(turn);
    const { number, transcript: own } = transcript.nest();
    own.apply(agent('inside'));
    own.apply(call('inner'));
    transcript.add({
      kind: 'subagent',
      number,
      sessionId: 'sub',
      title: 'Scout',
      state: { kind: 'running' },
      entries: own.entries,
      calls: own.calls,
      canCancel: true,
      call: 0,
    });
    const { entries, nested } = again(transcript.entries);
    const [, entry] = entries;
    assert.ok(entry?.kind === 'subagent');
    assert.deepEqual(
      { ...entry, entries: undefined },
      {
        ...{ kind: 'subagent', number: 1, sessionId: 'sub', title: 'Scout', call: 0 },
        ...{ state: { kind: 'unknown' }, calls: new Map([['inner', 1]]), entries: undefined },
      },
    );
    assert.deepEqual(
      nested.get(1)?.map(({ kind }) => kind),
      ['agent', 'toolCall'],
    );
    assert.equal(nested.get(1), entry.entries);
  });

  it('SEC-79: what isn’t an entry is shown as nothing, however it is made up', () => {
    let deep: unknown = { number: 20, title: 't', entries: [] };
    for (let number = 19; number > 0; number--) {
      deep = { number, title: 't', entries: [deep] };
    }
    const values = [
      ...[null, 1, 'x', [], {}, [null], [{}], [{ sessionUpdate: 'agent_message_chunk' }]],
      ...[
        { number: -1, title: 't' },
        { number: 1e9, title: 't' },
        { number: 1, title: 1 },
      ],
      { number: '__proto__', title: 't', entries: [{ number: 1, title: 't' }] },
      deep,
    ];
    for (const value of values) {
      const nested: NestedEntries = new Map();
      const entry = readCachedEntry(value, [], nested);
      assert.ok(entry.kind === 'agent' || (value === deep && entry.kind === 'subagent'));
      assert.ok(nested.size <= 9);
    }
  });
});
