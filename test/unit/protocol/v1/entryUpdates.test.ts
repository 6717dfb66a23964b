import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/model/transcript/transcript';
import type { SessionUpdate, ToolCallPatch } from '../../../../src/protocol/updates';
import { entryUpdates } from '../../../../src/protocol/v1/entryUpdates';
import { normaliseUpdate } from '../../../../src/protocol/v1/normaliseUpdate';
import { type Block, toolKinds } from '../../../../src/shared/transcript/content';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { fc, tries } from '../../../support/properties';
import { agent, call, entriesOf, user } from '../../model/updates';

const word = fc.string({ maxLength: 8 });
const optional: { requiredKeys: [] } = { requiredKeys: [] };
const id = fc.constantFrom('x', 'y', 'z', '__proto__');

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: word }),
  fc.record({ type: fc.constantFrom('image', 'audio'), mimeType: word, data: word }),
  fc
    .tuple(word, word, fc.record({ title: word, description: word, size: fc.nat() }, optional))
    .map(([uri, name, rest]) => ({ type: 'resource_link' as const, uri, name, ...rest })),
  fc.record({ type: fc.constant('resource' as const), uri: word, text: word }),
  fc.record({ type: fc.constant('unknown' as const), label: word }),
  fc.record({ type: fc.constant('unknown' as const), label: word, raw: word }),
);
const content = fc.oneof(
  block.map((it) => ({ type: 'content' as const, block: it })),
  fc.record({
    type: fc.constant('diff' as const),
    path: word,
    oldText: fc.option(word),
    newText: word,
  }),
  fc.record({ type: fc.constant('terminal' as const), terminalId: id }),
);
const patch: fc.Arbitrary<Partial<ToolCallPatch>> = fc.record(
  {
    title: word,
    name: word,
    kind: fc.constantFrom(...toolKinds),
    // The others are kept under `_meta`, see the tests of cached entries.
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed'),
    content: fc.array(content, { maxLength: 3 }),
    locations: fc.array(fc.record({ path: word, line: fc.integer({ min: 1, max: 99 }) })),
    rawInput: fc.dictionary(word, fc.nat(), { noNullPrototype: true }),
    rawOutput: word,
    terminalOutput: fc.array(fc.record({ terminalId: id, text: word, append: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    }),
    terminalExit: fc.record({
      terminalId: id,
      exitCode: fc.constantFrom(0, 1, 130),
      signal: fc.option(word),
    }),
  },
  optional,
);

const update: fc.Arbitrary<SessionUpdate> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'),
      block,
      fc.constantFrom(undefined, 'a', 'b'),
    )
    .map(([sessionUpdate, it, messageId]) => ({
      sessionUpdate,
      content: it,
      ...(messageId !== undefined && { messageId }),
    })),
  fc
    .tuple(fc.constantFrom('tool_call', 'tool_call_update'), id, patch)
    .map(([sessionUpdate, toolCallId, rest]) => ({ sessionUpdate, toolCallId, ...rest })),
  fc
    .array(
      fc.record({ content: word, priority: fc.constant('low'), status: fc.constant('pending') }),
    )
    .map((entries) => ({ sessionUpdate: 'plan', entries })),
  fc.tuple(word, fc.integer({ min: 1 })).map(([name, count]) => ({
    sessionUpdate: '_acp_sessions_unknown',
    what: 'request',
    name,
    raw: name,
    count,
  })),
  fc
    .tuple(id, word, fc.array(block, { maxLength: 2 }), fc.option(word))
    .map(([compactionId, status, summary, error]) => ({
      sessionUpdate: 'compaction_update',
      compactionId,
      status,
      summary,
      error,
    })),
) as fc.Arbitrary<SessionUpdate>;

/**
 * Round trip through text and the parser of the wire format, like a reader of the exported file.
 */
function replay(entries: readonly Entry[]): readonly Entry[] {
  const transcript = new Transcript();
  for (const params of entries.flatMap((entry) => entryUpdates(entry, 's'))) {
    const event = normaliseUpdate(JSON.parse(JSON.stringify(params)));
    assert.ok(typeof event !== 'string');
    assert.equal(event.sessionId, 's');
    transcript.apply(event.update);
  }
  return transcript.entries;
}

/** Constructed objects have no prototype, parsed ones do. */
const json = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      inner instanceof Map ? Object.fromEntries(inner as Map<string, unknown>) : inner,
    ),
  );

describe('Transcript as updates', () => {
  it('replaying the updates of all entries gives the transcript again', () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 30 }), (updates) => {
        const entries = entriesOf(...updates);
        assert.deepEqual(json(replay(entries)), json(entries));
      }),
      tries(500),
    );
  });

  it('keeps under _meta what no update says', () => {
    const [cut] = entriesOf(call('1', { status: 'in_progress' }));
    assert.ok(cut?.kind === 'toolCall');
    const [params] = entryUpdates({ ...cut, status: 'interrupted', dropped: true }, 's');
    assert.deepEqual((params?.['update'] as { _meta: unknown })._meta, {
      acpSessions: { status: 'interrupted', dropped: true },
    });
  });

  it('has nothing for how a turn ended', () => {
    const end: Entry = { kind: 'turn', outcome: { type: 'stopped', stopReason: 'cancelled' } };
    assert.deepEqual(entryUpdates(end, 's'), []);
    const entries = [...entriesOf(user('a'), agent('b')), end];
    assert.deepEqual(replay(entries), entries.slice(0, 2));
  });
});
