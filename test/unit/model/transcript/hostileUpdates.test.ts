import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/model/transcript/transcript';
import { entryUpdates } from '../../../../src/protocol/v1/entryUpdates';
import { normaliseUpdate } from '../../../../src/protocol/v1/normaliseUpdate';
import { nested } from '../../../support/nested';
import { fc, tries } from '../../../support/properties';
import { updateKinds } from '../../protocol/v1/updateKinds';

type Json = unknown;

/** Strings of arbitrary UTF-16 code units, names with a meaning, and long strings. */
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('text', 'diff', 'terminal', 'content', 'image', 'resource', 'completed'),
  fc.constantFrom('__proto__', 'constructor', '\0', '\ud800', '…', ''),
  fc.nat(20_000).map((length) => 'x'.repeat(length)),
);
const deep = fc.tuple(fc.nat(6_000), word).map(([levels, core]) => nested(levels, core));
const wide = fc
  .tuple(fc.nat(2_500), word)
  .map(([length, item]) => Array(length).fill(item) as Json);
const plain = fc.oneof(word, deep, wide, fc.integer(), fc.constantFrom(null, true, NaN, undefined));
const block = fc.record(
  { type: word, text: plain, uri: word, data: word, mimeType: word, resource: plain },
  { requiredKeys: ['type'] },
);
const item = fc.record(
  {
    type: word,
    content: fc.oneof(block, plain),
    path: word,
    newText: plain,
    oldText: plain,
    terminalId: word,
    id: word,
    name: plain,
    currentValue: plain,
    options: plain,
  },
  { requiredKeys: [] },
);
const list = fc.oneof(fc.array(fc.oneof(item, plain), { maxLength: 5 }), plain);
const update = fc.record(
  {
    sessionUpdate: fc.constantFrom(...updateKinds),
    content: fc.oneof(block, list),
    messageId: word,
    toolCallId: word,
    compactionId: word,
    title: plain,
    status: word,
    kind: word,
    rawInput: plain,
    rawOutput: plain,
    locations: list,
    entries: list,
    summary: list,
    error: plain,
    availableCommands: list,
    configOptions: list,
    currentModeId: plain,
    used: plain,
    size: plain,
    cost: plain,
    _meta: fc.oneof(
      plain,
      fc.record({ terminal_output: fc.record({ terminal_id: word, data: plain }), other: plain }),
    ),
  },
  { requiredKeys: ['sessionUpdate'] },
);

function receive(transcript: Transcript, sent: Json): void {
  const event = normaliseUpdate({ sessionId: 's', update: sent });
  if (typeof event !== 'string') {
    transcript.apply(event.update);
    // An update without an entry is sent to a webview.
    structuredClone(event.update);
  }
}

describe('hostile updates: properties', () => {
  it('UP-3: nothing throws, everything can be written, and the next ordinary update is there', () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 8 }), (updates) => {
        const transcript = new Transcript(4 * 1024 * 1024);
        for (const sent of updates) {
          receive(transcript, sent);
        }
        for (const entry of transcript.entries) {
          structuredClone(entry);
          JSON.stringify(entry);
          JSON.stringify(entryUpdates(entry, 's'));
        }
        receive(transcript, {
          sessionUpdate: 'tool_call',
          toolCallId: 'an ordinary one',
          title: 'Read a file',
        });
        assert.equal(transcript.toolCall('an ordinary one')?.title, 'Read a file');
        transcript.settle();
      }),
      { ...tries(100), endOnFailure: true },
    );
  });
});
