import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/model/transcript/transcript';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { fc } from '../../../support/properties';
import { text } from '../updates';

const kinds = ['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'] as const;
const kind = fc.constantFrom(...kinds);
const id = fc.constantFrom(undefined, 'a', 'b');

const update: fc.Arbitrary<SessionUpdate> = fc.oneof(
  fc.tuple(kind, fc.string({ maxLength: 5 }), id).map(([k, value, i]) => text(k, value, i)),
  fc
    .record({
      toolCallId: fc.constantFrom('x', 'y', 'z'),
      status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed' as const),
    })
    .map((patch) => ({ sessionUpdate: 'tool_call_update', ...patch }) as const),
  fc.constant({
    sessionUpdate: 'plan',
    entries: [{ content: 'p', priority: 'low', status: 'pending' }],
  } as const),
  fc
    .constantFrom('k', 'l')
    .map(
      (compactionId) =>
        ({ sessionUpdate: 'compaction_update', compactionId, status: 'completed' }) as const,
    ),
);

function play(updates: readonly SessionUpdate[]): Transcript {
  const transcript = new Transcript();
  for (const it of updates) {
    transcript.apply(it);
  }
  return transcript;
}

/** The entries, each with one text: chunks of a prompt may be blocks of their own. */
function textsIn({ entries }: Transcript): readonly unknown[] {
  return entries.map((entry) =>
    'blocks' in entry
      ? { ...entry, blocks: entry.blocks.map((block) => 'text' in block && block.text).join('') }
      : entry,
  );
}

describe('Transcript: properties', () => {
  it('MSG-3: text in any chunks gives the same entries', () => {
    const message = fc.record({ kind, id, pieces: fc.array(fc.string(), { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const chunked = messages.flatMap((m) => m.pieces.map((piece) => text(m.kind, piece, m.id)));
        const whole = messages.map((m) => text(m.kind, m.pieces.join(''), m.id));
        assert.deepEqual(textsIn(play(chunked)), textsIn(play(whole)));
      }),
    );
  });

  it('the changes alone are enough to follow the entries', () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 80 }), (updates) => {
        const transcript = new Transcript();
        const copy: unknown[] = [];
        transcript.onDidChange((change) => {
          assert.ok(change.type !== 'reset');
          const [from, to] =
            change.type === 'appended'
              ? [change.from, change.to]
              : [change.index, change.index + 1];
          assert.equal(change.type === 'appended', from === copy.length);
          for (let index = from; index < to; index++) {
            copy[index] = transcript.entries[index];
          }
        });
        for (const it of updates) {
          transcript.apply(it);
        }
        transcript.settle();
        assert.deepEqual(copy, transcript.entries);
      }),
    );
  });

  it('no text is lost and none comes twice', () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 80 }), (updates) => {
        const sent = updates.flatMap((it) =>
          'content' in it &&
          it.sessionUpdate !== 'tool_call_update' &&
          'text' in (it.content as object)
            ? [(it.content as { text: string }).text]
            : [],
        );
        const kept = play(updates).entries.flatMap((entry) =>
          'blocks' in entry ? entry.blocks.map((block) => ('text' in block ? block.text : '')) : [],
        );
        const letters = (texts: readonly (string | undefined)[]): string =>
          Array.from(texts.join('')).toSorted().join('');
        assert.equal(letters(kept), letters(sent));
      }),
    );
  });
});
