import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { FromWebview, ToWebview } from '../../../../src/shared/transcript/webviewMessages';
import { FindState } from '../../../../src/webview/find/findState';
import { TranscriptState } from '../../../../src/webview/state/state';

type Found = Extract<ToWebview, { type: 'found' }>;

describe('finding in a transcript', () => {
  let asked: Extract<FromWebview, { type: 'find' }>[];
  let marked: Extract<FromWebview, { type: 'mark' }>[];
  let selected: string;
  let state: TranscriptState;
  let find: FindState;

  beforeEach(() => {
    asked = [];
    marked = [];
    selected = '';
    const post = (message: FromWebview): void => {
      if (message.type === 'find') {
        asked.push(message);
      } else if (message.type === 'mark') {
        marked.push(message);
      }
    };
    state = new TranscriptState(post);
    state.receive({
      type: 'snapshot',
      revision: 1,
      header: { title: '', agentTitle: '', folder: '', cwd: '' },
      phase: { kind: 'ready' },
      session: {
        writable: { kind: 'yes' },
        turn: { kind: 'idle' },
        queue: [],
        canSteer: false,
        commands: [],
        configOptions: [],
        takesImages: false,
        changedFiles: [],
        savedPrompts: [],
        waiting: [],
      },
      count: 1000,
      start: 0,
      entries: [],
    });
    state.setVisible(500, 510);
    find = new FindState(state, post, () => selected);
    find.show();
    find.look('needle');
  });

  describe('before the host has answered', () => {
    it('has the first match on screen from where one reads', () => {
      find.guess([490, 502, 504]);
      assert.deepEqual(find.current.value, { index: 502, match: 0 });
      assert.equal(state.reveal.value, undefined, 'it can be seen');
    });

    it('has none beyond the screen, or when reading is elsewhere', () => {
      find.guess([490, 511]);
      assert.equal(find.current.value, undefined);
      state.setVisible(505, 515);
      find.guess([506]);
      assert.equal(find.current.value, undefined);
    });

    it('follows the host, which knows better', () => {
      find.guess([502]);
      found([[502, 2]]);
      assert.deepEqual(find.current.value, { index: 502, match: 0 });
      assert.deepEqual(state.reveal.value, { index: 502, as: 'match' });
      find.look('');
      find.look('other');
      find.guess([503]);
      found([[900, 1]]);
      assert.deepEqual(find.current.value, { index: 900, match: 0 });
      find.look('');
      find.look('none');
      find.guess([503]);
      found([]);
      assert.equal(find.current.value, undefined);
    });
  });

  function found(
    pairs: readonly (readonly [index: number, matches: number])[],
    more: Partial<Found> = {},
  ): void {
    const query = asked.at(-1)?.query ?? 0;
    find.receive({
      type: 'found',
      query,
      isNew: true,
      places: Uint32Array.from(pairs.flatMap(([index, matches]) => [index, 1, matches])),
      state: 'complete',
      ...more,
    });
  }

  /** The index of the current match's entry. */
  function entryAt(): number | undefined {
    return find.current.value?.index;
  }

  function answer(...indexes: number[]): void {
    found(indexes.map((index) => [index, 1]));
  }

  it('asks the host and begins at the viewport', () => {
    assert.equal(asked.at(-1)?.search.text, 'needle');
    assert.equal(asked.at(-1)?.from, 500);
    answer(3, 480, 620, 900);
    assert.equal(find.position.value, 3);
    assert.deepEqual(state.reveal.value, { index: 620, as: 'match' });
  });

  it('goes on around the ends, both ways', () => {
    answer(3, 480, 620);
    const seen = [1, 1, -1, -1, -1].map((direction) => {
      find.step(direction as 1 | -1);
      return entryAt();
    });
    assert.deepEqual(seen, [3, 480, 3, 620, 480]);
  });

  it('goes match by match within an entry, and counts matches', () => {
    found([
      [3, 2],
      [620, 3],
    ]);
    const seen = [1, 1, 1, -1, -1].map((direction) => {
      find.step(direction as 1 | -1);
      return [entryAt(), find.current.value?.match, find.position.value];
    });
    assert.deepEqual(seen, [
      [620, 1, 4],
      [620, 2, 5],
      [3, 0, 1],
      [620, 2, 5],
      [620, 1, 4],
    ]);
    assert.equal(find.result.value?.total, 5);
  });

  it('begins at the same place with each letter that is typed', () => {
    answer(505, 508, 620);
    assert.equal(entryAt(), 505);
    find.look('needle x');
    answer(508);
    find.look('needle');
    answer(505, 508, 620);
    assert.equal(entryAt(), 505);
  });

  it('takes no late answer to an earlier question', () => {
    const { query } = asked.at(-1) ?? { query: 0 };
    find.look('needles');
    found([[1, 1]], { query });
    assert.equal(find.result.value, undefined);
    answer(7);
    assert.deepEqual(find.current.value, { index: 7, match: 0 });
  });

  it('stays with the current entry while the text grows', () => {
    answer(3, 620, 700);
    find.step(1);
    assert.equal(entryAt(), 700);
    find.look('needle in');
    answer(3, 700);
    assert.equal(entryAt(), 700);
  });

  it('shows the first match at once and its number when all are counted', () => {
    found([[620, 1]], { state: 'searching' });
    assert.equal(entryAt(), 620);
    assert.equal(find.position.value, undefined);
    found([[900, 2]], { isNew: false, state: 'searching' });
    found([[3, 4]], { isNew: false });
    assert.deepEqual(find.found.value, [3, 620, 900]);
    assert.equal(find.result.value?.total, 7);
    assert.equal(find.position.value, 5);
    assert.equal(entryAt(), 620);
  });

  it('stays where it is while the transcript grows', () => {
    answer(3, 620);
    const { reveal } = state;
    const before = reveal.value;
    found(
      [
        [540, 1],
        [999, 2],
      ],
      { isNew: false },
    );
    assert.equal(entryAt(), 620);
    assert.equal(find.position.value, 3);
    assert.equal(reveal.value, before);
  });

  it('goes on to the next match when the current one is gone', () => {
    answer(3, 620, 700);
    found([[620, 0]], { isNew: false });
    assert.deepEqual(find.found.value, [3, 700]);
    assert.equal(entryAt(), 700);
  });

  it('scrolls nowhere when there is nothing', () => {
    answer();
    assert.equal(find.position.value, undefined);
    find.step(1);
    assert.equal(state.reveal.value, undefined);
  });

  it('shows nothing of a pattern that can’t be run', () => {
    found([[3, 1]], { state: 'slow' });
    assert.equal(find.result.value?.total, 0);
    assert.equal(find.current.value, undefined);
  });

  it('forgets its results when closed, and looks for the same when opened', () => {
    answer(3);
    find.hide();
    assert.equal(find.result.value, undefined);
    assert.equal(asked.at(-1)?.search.text, '');
    answer(4);
    find.show();
    assert.equal(asked.at(-1)?.search.text, 'needle');
  });

  it('looks for nothing with an empty text', () => {
    answer(3);
    find.look('');
    assert.equal(asked.at(-1)?.search.text, '');
    assert.equal(find.result.value, undefined);
  });

  it('searches for the selection if that is a single line', () => {
    selected = 'two\nlines';
    find.show();
    assert.equal(find.search.value.text, 'needle');
    selected = 'a.b';
    find.show();
    assert.equal(asked.at(-1)?.search.text, 'a.b');
    find.toggle('isPattern');
    selected = 'c.d';
    find.show();
    assert.equal(asked.at(-1)?.search.text, String.raw`c\.d`);
  });

  it('asks the host where a pattern is in rows that are drawn, once for each text', async () => {
    find.toggle('isPattern');
    find.askForMarks(new Map([[7, 'some text']]));
    find.askForMarks(new Map([[7, 'some text']]));
    assert.deepEqual(
      marked.map(({ rows }) => rows),
      [[{ index: 7, text: 'some text' }]],
    );
    const id = marked[0]?.id ?? 0;
    state.receive({ type: 'reply', id, to: 'mark', value: [{ index: 7, spans: [0, 4] }] });
    await setImmediate();
    assert.deepEqual(find.marks.value.get(7), { text: 'some text', spans: [0, 4] });
    find.look('other');
    assert.equal(find.marks.value.size, 0);
  });
});
