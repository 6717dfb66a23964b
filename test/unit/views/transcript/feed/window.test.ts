import assert from 'node:assert/strict';
import type { DrawnEntry } from '../../../../../src/shared/transcript/drawn';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { placeIn } from '../../../../../src/shared/transcript/places';
import type { Change } from '../../../../../src/shared/transcript/webviewMessages';
import { TranscriptWindow } from '../../../../../src/views/transcript/feed/window';
import { drawEntry } from '../../../../../src/views/transcript/rows/draw';
import { fc } from '../../../../support/properties';

function message(text: string): Entry {
  return { kind: 'agent', blocks: [{ type: 'text', text }] };
}

class Source {
  entries: Entry[] = [];
  drawn = 0;

  draw(entry: Entry): DrawnEntry {
    this.drawn += 1;
    return drawEntry(entry, '/project');
  }

  fill(count: number): void {
    this.entries = Array.from({ length: count }, (_, index) => message(`m${index}`));
  }
}

/** Applies the changes to the rows that a webview holds. */
function applyTo(held: Map<number, DrawnEntry>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.op === 'set') {
      held.set(change.index, change.entry);
    } else {
      const entry = held.get(change.index);
      assert.ok(entry?.kind === 'agent');
      const last = entry.blocks.at(-1);
      assert.ok(last?.type === 'text');
      const grown = { ...last, text: last.text + change.text };
      held.set(change.index, { ...entry, blocks: [...entry.blocks.slice(0, -1), grown] });
    }
  }
}

describe('window of a transcript', () => {
  let source: Source;
  let window: TranscriptWindow;
  beforeEach(() => {
    source = new Source();
    window = new TranscriptWindow(source);
  });

  it('begins with the newest rows', () => {
    source.fill(1000);
    const { start, entries } = window.snapshot();
    assert.equal(start + entries.length, 1000);
    assert.ok(entries.length < 100);
    assert.deepEqual(entries.at(-1), drawEntry(message('m999'), '/project'));
    assert.deepEqual(window.changes(false), []);
  });

  it('SUB-1: draws nothing of a subagent until it is unfolded, then its last rows', () => {
    source.fill(3);
    const inner = ['a', 'b', 'c', 'd'].map(message);
    const rows = new TranscriptWindow({
      entries: source.entries,
      draw: (entry) => source.draw(entry),
      nested: (number) => (number === 7 ? inner : []),
    });
    rows.snapshot();
    source.drawn = 0;
    assert.equal(rows.isUnfolded(7), false);
    assert.deepEqual(rows.changes(false), []);
    assert.equal(source.drawn, 0);
    rows.unfold(7, 2);
    const places = (): number[] => rows.changes(false).map(({ index }) => index);
    assert.deepEqual(places(), [placeIn(7, 2), placeIn(7, 3)]);
    inner[2] = message('changed');
    rows.note({ type: 'updated', index: 2 }, 7);
    assert.deepEqual(places(), [placeIn(7, 2)]);
    inner.push(message('e'));
    assert.deepEqual(places(), [placeIn(7, 4)]);
    rows.unfold(7, 0);
    assert.deepEqual(places(), []);
    assert.equal(rows.held, 3);
    rows.unfold(7, 1);
    assert.deepEqual(places(), [placeIn(7, 4)]);
    rows.unfold(7, 0);
    rows.unfold(7, 1);
    assert.deepEqual(places(), [placeIn(7, 4)], 'folded and unfolded at once, it is sent anew');
    for (let number = 1; number <= 100; number++) {
      rows.unfold(number, 2);
    }
    assert.equal(rows.isUnfolded(50), false);
    assert.equal(rows.isUnfolded(51), true);
  });

  it('sends only the rows that a moved window lacks', () => {
    source.fill(1000);
    window.want({ start: 100, end: 110, follow: false });
    window.snapshot();
    window.want({ start: 105, end: 115, follow: false });
    assert.deepEqual(
      window.changes(false).map(({ index }) => index),
      [110, 111, 112, 113, 114],
    );
    window.want({ start: 100, end: 110, follow: false });
    assert.deepEqual(
      window.changes(false).map(({ index }) => index),
      [100, 101, 102, 103, 104],
      'rows that left the window are sent anew: the webview may have let them go',
    );
  });

  it('slides with the tail while it follows, at a cost that the window bounds', () => {
    source.fill(10_000);
    window.want({ start: 9_990, end: 10_000, follow: true });
    window.snapshot();
    source.drawn = 0;
    source.entries.push(...Array.from({ length: 5000 }, (_, index) => message(`n${index}`)));
    assert.deepEqual(
      window.changes(true).map(({ index }) => index),
      Array.from({ length: 10 }, (_, index) => 14_990 + index),
    );
    assert.equal(source.drawn, 10);
  });

  it('sends the text that was added to a message, not the message', () => {
    source.entries = [message('Hello')];
    window.snapshot();
    source.entries[0] = message('Hello, world');
    window.note({ type: 'updated', index: 0 });
    assert.deepEqual(window.changes(true), [{ op: 'append', index: 0, text: ', world' }]);
    assert.deepEqual(window.changes(true), []);
  });

  it('sends a message anew when something else of it changed', () => {
    source.entries = [message('Hello')];
    window.snapshot();
    source.entries[0] = message('Good bye');
    window.note({ type: 'updated', index: 0 });
    assert.deepEqual(
      window.changes(true).map(({ op }) => op),
      ['set'],
    );
  });

  it('PR-7: sends a message anew when the agent has dropped it', () => {
    source.entries = [message('Hello')];
    window.snapshot();
    source.entries[0] = { ...message('Hello'), dropped: true } as Entry;
    window.note({ type: 'updated', index: 0 });
    const [change] = window.changes(false);
    assert.ok(change?.op === 'set');
  });

  it('does not repeat a cut text while more of it comes in, and gives its length at the end', () => {
    source.entries = [message('x'.repeat(100_001))];
    window.snapshot();
    source.entries[0] = message('x'.repeat(100_050));
    window.note({ type: 'updated', index: 0 });
    assert.deepEqual(window.changes(true), []);
    const [change] = window.changes(false);
    assert.ok(change?.op === 'set' && change.entry.kind === 'agent');
    const [block] = change.entry.blocks;
    assert.ok(block?.type === 'text');
    assert.equal(block.omitted, 50);
  });

  it('ignores changes outside of the window', () => {
    source.fill(1000);
    window.want({ start: 0, end: 10, follow: false });
    window.snapshot();
    source.drawn = 0;
    window.note({ type: 'updated', index: 500 });
    assert.deepEqual(window.changes(true), []);
    assert.equal(source.drawn, 0);
  });

  it('T-10: starts over when the transcript does', () => {
    source.fill(3);
    window.snapshot();
    source.entries = [message('again')];
    window.note({ type: 'reset' });
    assert.deepEqual(window.changes(true), [
      { op: 'set', index: 0, entry: drawEntry(message('again'), '/project') },
    ]);
  });

  it('sends only what is different of a transcript that begins anew', () => {
    source.fill(40);
    window.snapshot();
    source.fill(41);
    source.entries[5] = message('another');
    source.entries[7] = message('m7 and more');
    window.note({ type: 'reset' });
    window.note({ type: 'appended', from: 0, to: 41 });
    assert.deepEqual(window.changes(false), [
      { op: 'set', index: 5, entry: drawEntry(message('another'), '/project') },
      { op: 'append', index: 7, text: ' and more' },
      { op: 'set', index: 40, entry: drawEntry(message('m40'), '/project') },
    ]);
  });

  it('keeps a webview at what the transcript is, whatever happens in which order', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const), text: fc.string() }),
      fc.record({ do: fc.constant('grow' as const), at: fc.nat(20), text: fc.string() }),
      fc.record({ do: fc.constant('replace' as const), at: fc.nat(20), text: fc.string() }),
      fc.record({ do: fc.constant('want' as const), at: fc.nat(20), follow: fc.boolean() }),
      fc.record({ do: fc.constant('anew' as const), kept: fc.nat(20) }),
      fc.record({ do: fc.constant('flush' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const own = new Source();
        const rows = new TranscriptWindow(own);
        const texts: string[] = [];
        let wanted = { start: 0, end: 5, follow: true };
        rows.want(wanted);
        rows.snapshot();
        const held = new Map<number, DrawnEntry>();
        const set = (at: number, text: string): void => {
          texts[at] = text;
          own.entries[at] = message(text);
        };
        const flush = (growing: boolean): void => {
          // A webview drops the rows that there are no more.
          for (const index of held.keys()) {
            if (index >= texts.length) {
              held.delete(index);
            }
          }
          applyTo(held, rows.changes(growing));
        };
        for (const next of steps) {
          if (next.do === 'append') {
            set(texts.length, next.text);
            rows.note({ type: 'appended', from: texts.length - 1, to: texts.length });
          } else if (next.do === 'want') {
            wanted = { start: next.at, end: next.at + 5, follow: next.follow };
            rows.want(wanted);
          } else if (next.do === 'anew') {
            texts.splice(next.kept);
            own.entries = texts.map(message);
            rows.note({ type: 'reset' });
          } else if (next.do === 'flush') {
            flush(true);
          } else if (next.at < texts.length) {
            set(next.at, next.do === 'grow' ? (texts[next.at] ?? '') + next.text : next.text);
            rows.note({ type: 'updated', index: next.at });
          }
        }
        flush(false);
        const start = wanted.follow ? Math.max(0, texts.length - 5) : wanted.start;
        const end = wanted.follow ? texts.length : Math.min(wanted.end, texts.length);
        for (let index = start; index < end; index++) {
          assert.deepEqual(held.get(index), drawEntry(message(texts[index] ?? ''), '/project'));
        }
      }),
    );
  });
});
