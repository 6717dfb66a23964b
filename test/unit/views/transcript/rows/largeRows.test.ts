import assert from 'node:assert/strict';
import type { ToolContent } from '../../../../../src/shared/transcript/content';
import type { DrawnEntry } from '../../../../../src/shared/transcript/drawn';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { Effort } from '../../../../../src/util/effort';
import { TranscriptWindow } from '../../../../../src/views/transcript/feed/window';
import { getSize } from '../../../../../src/views/transcript/rows/draw';
import { callOf, hardDiff, many, maxEffort, rowOf } from './hardRows';

describe('a window on large rows', () => {
  const size = 15_000_000;
  const image: Entry = {
    kind: 'agent',
    blocks: many(2, () => ({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(size / 2) })),
  };

  function windowOn(entries: readonly Entry[]): TranscriptWindow {
    return new TranscriptWindow({ entries, draw: (entry, effort) => rowOf(entry, effort) });
  }

  /** All rows that the webview holds in the end, and the size of the largest message. */
  function held(rows: TranscriptWindow): { rows: Map<number, DrawnEntry>; largest: number } {
    const first = rows.snapshot();
    const all = new Map(first.entries.map((entry, at) => [first.start + at, entry]));
    const size = first.entries.reduce((sum, row) => sum + getSize(row), 0);
    return { rows: all, largest: Math.max(size, rows.isBehind ? goOn(rows, all) : 0) };
  }

  /** Applies messages until none is left; returns the size of the largest one. */
  function goOn(rows: TranscriptWindow, all: Map<number, DrawnEntry>): number {
    let largest = 0;
    do {
      let bytes = 0;
      for (const change of rows.changes(false)) {
        assert.ok(change.op === 'set');
        all.set(change.index, change.entry);
        bytes += getSize(change.entry);
      }
      largest = Math.max(largest, bytes);
    } while (rows.isBehind);
    return largest;
  }

  it('SEC-102: sends the newest rows first, no more than a message has room for at a time', () => {
    const { rows, largest } = held(windowOn(many(3, () => image)));
    assert.deepEqual([...rows.keys()], [2, 1, 0]);
    assert.ok(largest <= 32_000_000);
  });

  it('SEC-102: names the rows that a page has no room for, and sends one on request', () => {
    const rows = windowOn(many(40, () => image));
    const all = held(rows).rows;
    assert.equal(all.size, 40);
    const bytes = [...all.values()].reduce((sum, row) => sum + getSize(row), 0);
    assert.ok(bytes <= 64_000_000);
    assert.deepEqual(all.get(0), { kind: 'unshown', reason: 'large' });
    assert.equal(all.get(39)?.kind, 'agent');
    rows.ask(0);
    goOn(rows, all);
    assert.equal(all.get(0)?.kind, 'agent');
    for (const index of [1, 2, 3]) {
      rows.ask(index);
    }
    goOn(rows, all);
    assert.equal(all.get(0)?.kind, 'unshown', 'the oldest gives way');
    assert.deepEqual(
      [1, 2, 3].map((index) => all.get(index)?.kind),
      ['agent', 'agent', 'agent'],
    );
  });

  it('shows a row that there was no room for when the window has moved on', () => {
    const rows = windowOn(many(40, () => image));
    held(rows);
    rows.want({ start: 0, end: 3, follow: false });
    const changes = rows.changes(false);
    assert.ok(changes[0]?.op === 'set' && changes[0].entry.kind === 'agent');
  });

  it('draws rows that are hard to draw in several messages', () => {
    const entries = many(8, (at) => callOf({ content: [hardDiff(at), hardDiff(at + 100)] }));
    const efforts: number[] = [];
    const rows = new TranscriptWindow({
      entries,
      draw: (entry, effort) => {
        const before = effort.left;
        const row = rowOf(entry, effort);
        efforts.push(before - effort.left);
        return row;
      },
    });
    const { entries: first } = rows.snapshot();
    assert.ok(first.length > 0 && first.length < 8 && rows.isBehind);
    while (rows.isBehind) {
      rows.changes(false);
    }
    assert.equal(rows.held, 8);
    assert.ok(Math.max(...efforts) <= maxEffort);
  });

  it('compares a change as far as any other, however much the rows before it took', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`);
    const changed = lines.map((line, at) => (at % 10 === 0 ? `${line}!` : line));
    const diff: ToolContent = {
      type: 'diff',
      path: 'a',
      oldText: lines.join('\n'),
      newText: changed.join('\n'),
    };
    const effort = new Effort(1);
    const row = rowOf(callOf({ content: [diff] }), effort);
    assert.ok(row.kind === 'toolCall' && effort.isSpent);
    assert.ok(row.content[0]?.type === 'diff');
    assert.deepEqual([row.content[0].added, row.content[0].removed], [30, 30]);
  });
});
