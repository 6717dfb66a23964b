import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/model/transcript/transcript';
import { maxText } from '../../../../src/protocol/bounds';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import type { Block } from '../../../../src/shared/transcript/content';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { fc, tries } from '../../../support/properties';
import { agent, call, chunk, entriesOf, state, transcriptOf, user, whole } from '../updates';

const image: Block = { type: 'image', mimeType: 'image/png', data: 'AA==' };

/** What the messages say, by kind and id. */
const said = (entries: readonly Entry[]): string[] =>
  entries.map((entry) =>
    'blocks' in entry && entry.kind !== 'plan'
      ? `${entry.kind} ${entry.messageId ?? ''}: ${entry.blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')}`
      : entry.kind,
  );

type Kind = 'user' | 'agent' | 'thought';
type Step = readonly [Kind, string, 'chunk' | 'whole', readonly Block[] | undefined];

const kind = fc.constantFrom<Kind>('user', 'agent', 'thought');
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 }).map((text) => ({
    type: 'text' as const,
    text,
  })),
  fc.constant(image),
);
const step: fc.Arbitrary<Step> = fc.tuple(
  kind,
  fc.constantFrom('x', 'y', '__proto__'),
  fc.constantFrom('chunk', 'whole'),
  fc.option(fc.array(block, { maxLength: 3 }), { nil: undefined }),
);

function updatesOf([of, id, form, content]: Step): readonly SessionUpdate[] {
  return form === 'whole'
    ? [whole(of, id, content)]
    : (content ?? []).map((each) => chunk(of, id, each));
}

/** The messages that result, worked out in the simplest way: lists of blocks, by kind and id. */
function expected(steps: readonly Step[]): Entry[] {
  const messages = new Map<string, { kind: Kind; messageId: string; blocks: Block[] }>();
  for (const [of, id, form, content] of steps) {
    const shown = (content ?? []).filter((each) => each.type !== 'text' || each.text !== '');
    const known = messages.get(`${of} ${id}`);
    if (known === undefined && shown.length > 0) {
      messages.set(`${of} ${id}`, { kind: of, messageId: id, blocks: [...shown] });
    } else if (known !== undefined && content !== undefined) {
      known.blocks = form === 'whole' ? [...shown] : [...known.blocks, ...shown];
    }
  }
  return [...messages.values()].map((message) => ({ ...message, blocks: joined(message.blocks) }));
}

function joined(blocks: readonly Block[]): Block[] {
  const all: Block[] = [];
  for (const each of blocks) {
    const last = all.at(-1);
    if (each.type === 'text' && last?.type === 'text') {
      all[all.length - 1] = { type: 'text', text: last.text + each.text };
    } else {
      all.push(each);
    }
  }
  return all;
}

describe('Whole messages', () => {
  it('V2-MSG-1, V2-MSG-3: content creates a message, replaces what it had, and chunks add to it', () => {
    const updates = [
      chunk('agent', 'a', 'One '),
      chunk('agent', 'a', 'two'),
      whole('agent', 'a', 'Instead'),
      chunk('agent', 'a', ' of it'),
      whole('user', 'u', 'new'),
    ];
    assert.deepEqual(said(entriesOf(...updates)), ['agent a: Instead of it', 'user u: new']);
  });

  it('V2-MSG-2, V2-MSG-7: a chunk belongs to its message, however much came in between', () => {
    const others = Array.from({ length: 50 }, (_, at) => chunk('agent', `o${at}`, 'x'));
    const [first, , , third] = entriesOf(
      chunk('agent', 'a', 'One '),
      call('c'),
      user('v1 text'),
      chunk('thought', 'a', 'Hm '),
      ...others,
      chunk('thought', 'a', 'hm'),
      chunk('agent', 'a', 'two'),
    );
    assert.deepEqual(said([first!, third!]), ['agent a: One two', 'thought a: Hm hm']);
  });

  it('V2-MSG-4, V2-MSG-5: empty content clears; none, and none of an unknown message, changes nothing', () => {
    const transcript = transcriptOf(chunk('agent', 'a', 'x'), whole('agent', 'a'));
    assert.deepEqual(said(transcript.entries), ['agent a: x']);
    let changes = 0;
    transcript.onDidChange(() => changes++);
    transcript.apply(whole('agent', 'b'));
    transcript.apply(whole('agent', 'b', []));
    transcript.apply(whole('agent', 'b', ''));
    transcript.apply(whole('agent', 'a'));
    assert.equal(changes, 0);
    transcript.apply(whole('agent', 'a', []));
    assert.deepEqual(said(transcript.entries), ['agent a: ']);
    transcript.apply(chunk('agent', 'a', 'again'));
    assert.deepEqual(said(transcript.entries), ['agent a: again']);
  });

  it('V2-MSG-6, V2-RES-6: an id names a message of its kind, and a reset forgets it', () => {
    const transcript = transcriptOf(
      whole('user', 'm', 'u'),
      whole('agent', 'm', 'a'),
      whole('thought', 'm', 't'),
    );
    assert.deepEqual(said(transcript.entries), ['user m: u', 'agent m: a', 'thought m: t']);
    transcript.reset();
    transcript.apply(chunk('agent', 'm', 'new'));
    assert.deepEqual(said(transcript.entries), ['agent m: new']);
  });

  it('MSG-3, MSG-5: an id that isn’t unique means what it did', () => {
    const entries = entriesOf(agent('One', 'a'), call('c'), agent('two', 'a'));
    assert.deepEqual(said(entries), ['agent a: One', 'toolCall', 'agent a: two']);
  });

  it('V2-MSG-1 to V2-MSG-7: in any order they give what lists of blocks would give', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        // A prompt's blocks stay apart, which isn't of concern here.
        const entries = entriesOf(...steps.flatMap(updatesOf)).map((entry) =>
          entry.kind === 'user' ? { ...entry, blocks: joined(entry.blocks) } : entry,
        );
        assert.deepEqual(entries, expected(steps));
      }),
      tries(500),
    );
  });

  it('V2-MSG-3: the changes alone are enough to follow the entries', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const transcript = new Transcript();
        const copy: Entry[] = [];
        transcript.onDidChange((change) => {
          assert.ok(change.type !== 'reset');
          const isNew = change.type === 'appended';
          for (
            let index = isNew ? change.from : change.index;
            index < (isNew ? change.to : change.index + 1);
            index++
          ) {
            copy[index] = transcript.entries[index]!;
          }
        });
        for (const update of steps.flatMap(updatesOf)) {
          transcript.apply(update);
        }
        assert.deepEqual(copy, transcript.entries);
      }),
    );
  });

  it('V2-MSG-3: a message that filled an entry goes on in another; a replacement takes the place of all of it', () => {
    const transcript = new Transcript();
    const blocks = (count: number): Block[] => Array.from({ length: count }, () => image);
    for (const each of blocks(600)) {
      transcript.apply(chunk('agent', 'a', each));
      transcript.apply(state('running'));
    }
    const sizes = (): number[] =>
      transcript.entries.map((entry) => (entry.kind === 'agent' ? entry.blocks.length : -1));
    assert.deepEqual(sizes(), [256, 256, 88]);
    transcript.apply(whole('agent', 'a', blocks(300)));
    assert.deepEqual(sizes(), [256, 44, 0]);
    transcript.apply(chunk('agent', 'a', image));
    assert.deepEqual(sizes(), [256, 45, 0]);
    transcript.apply(whole('agent', 'a', []));
    assert.deepEqual(sizes(), [0, 0, 0]);
    transcript.apply(whole('agent', 'a', blocks(600)));
    assert.deepEqual(sizes(), [256, 0, 0, 256, 88], 'what isn’t needed any more is left alone');
  });

  it('V2-MSG-2: a text that has the maximum length goes on in another entry', () => {
    const transcript = transcriptOf(chunk('agent', 'a', 'x'.repeat(maxText)));
    transcript.apply(chunk('agent', 'a', 'y'));
    assert.equal(transcript.entries.length, 2);
    transcript.apply(whole('agent', 'a', 'z'));
    assert.deepEqual(said(transcript.entries), ['agent a: z', 'agent a: ']);
  });

  it('V2-MSG-3: ten thousand replacements of a message of several entries change each no more often', () => {
    const transcript = new Transcript();
    const blocks: Block[] = Array.from({ length: 2_000 }, () => image);
    transcript.apply(whole('agent', 'a', blocks));
    let changes = 0;
    transcript.onDidChange(() => changes++);
    for (let round = 0; round < 10_000; round++) {
      transcript.apply(whole('agent', 'a', `${round}`));
    }
    assert.ok(changes < 10_100, `${changes}`);
    assert.equal(said(transcript.entries)[0], 'agent a: 9999');
  });
});
