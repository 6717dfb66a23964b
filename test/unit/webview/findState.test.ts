import assert from 'node:assert/strict';
import type { FromWebview } from '../../../src/shared/messages';
import { FindState } from '../../../src/webview/find/findState';
import { TranscriptState } from '../../../src/webview/state';

describe('finding in a transcript', () => {
  let asked: Extract<FromWebview, { type: 'find' }>[];
  let state: TranscriptState;
  let find: FindState;

  beforeEach(() => {
    asked = [];
    const post = (message: FromWebview): void => {
      if (message.type === 'find') {
        asked.push(message);
      }
    };
    state = new TranscriptState(post);
    state.receive({
      type: 'snapshot',
      revision: 1,
      header: { title: '', agentTitle: '', cwd: '' },
      phase: { kind: 'ready' },
      session: {
        writable: { kind: 'yes' },
        turn: { kind: 'idle' },
        queue: [],
        commands: [],
        configOptions: [],
        takesImages: false,
        changedFiles: [],
        waiting: [],
      },
      count: 1000,
      start: 0,
      entries: [],
    });
    state.setVisible(500, 510);
    find = new FindState(state, post);
    find.show();
    find.look('needle', false);
  });

  function answer(...indexes: number[]): void {
    find.receive({ type: 'found', query: asked.at(-1)?.query ?? 0, indexes, cut: false });
  }

  it('asks the host and begins at what is on screen', () => {
    assert.equal(asked.at(-1)?.text, 'needle');
    answer(3, 480, 620, 900);
    assert.equal(find.position.value, 2);
    assert.deepEqual(state.reveal.value, { index: 620, as: 'match' });
  });

  it('goes on around the ends, both ways', () => {
    answer(3, 480, 620);
    const seen = [1, 1, -1, -1, -1].map((direction) => {
      find.step(direction as 1 | -1);
      return find.current.value;
    });
    assert.deepEqual(seen, [3, 480, 3, 620, 480]);
  });

  it('begins at the same place with each letter that is typed', () => {
    answer(505, 508, 620);
    assert.equal(find.current.value, 505);
    find.look('needle x', false);
    answer(508);
    find.look('needle', false);
    answer(505, 508, 620);
    assert.equal(find.current.value, 505);
  });

  it('takes no late answer to an earlier question', () => {
    const { query } = asked.at(-1) ?? { query: 0 };
    find.look('needles', false);
    find.receive({ type: 'found', query, indexes: [1, 2], cut: false });
    assert.equal(find.current.value, undefined);
    answer(7);
    assert.equal(find.current.value, 7);
  });

  it('stays with the current entry while the text grows', () => {
    answer(3, 620, 700);
    find.step(1);
    assert.equal(find.current.value, 700);
    find.look('needle in', false);
    answer(3, 700);
    assert.equal(find.current.value, 700);
  });

  it('scrolls nowhere when there is nothing', () => {
    answer();
    assert.equal(find.position.value, undefined);
    find.step(1);
    assert.equal(state.reveal.value, undefined);
  });

  it('forgets its results when closed, and asks anew when opened', () => {
    answer(3);
    find.hide();
    assert.equal(find.result.value, undefined);
    answer(4);
    assert.equal(find.result.value, undefined);
    const questions = asked.length;
    find.show();
    assert.equal(asked.length, questions + 1);
  });

  it('asks nothing for an empty text', () => {
    const questions = asked.length;
    find.look('', false);
    assert.equal(asked.length, questions);
    assert.equal(find.result.value, undefined);
  });
});
