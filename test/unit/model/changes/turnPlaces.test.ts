import assert from 'node:assert/strict';
import { placeTurns } from '../../../../src/model/changes/turnPlaces';
import type { PlacedPrompt } from '../../../../src/model/transcript/turnStarts';

describe('the turns of a record in a transcript', () => {
  const minute = 60_000;

  /** Prompts without times, as in a replay; each is followed by two more entries. */
  function replayed(...texts: readonly string[]): PlacedPrompt[] {
    return texts.map((text, at) => ({ index: at * 3, text }));
  }

  function recorded(...turns: readonly (readonly [number, string])[]) {
    return turns.map(([turn, prompt]) => ({ turn, prompt, began: turn * minute }));
  }

  function placed(
    turns: ReturnType<typeof recorded>,
    prompts: readonly PlacedPrompt[],
  ): readonly (readonly [number, number])[] {
    return [...placeTurns(turns, prompts)].sort(([a], [b]) => a - b);
  }

  it('finds each by its text, and passes over turns that changed nothing', () => {
    const prompts = replayed('Fix it', 'Explain it', 'Test it');
    assert.deepEqual(placed(recorded([1, 'Fix it'], [3, 'Test it']), prompts), [
      [1, 0],
      [3, 6],
    ]);
  });

  it('finds those whose session began before the record, or lost its first prompts', () => {
    const prompts = replayed('Before', 'Go on', 'Fix it');
    assert.deepEqual(placed(recorded([1, 'Go on'], [2, 'Fix it']), prompts), [
      [1, 3],
      [2, 6],
    ]);
    assert.deepEqual(placed(recorded([1, 'Gone'], [2, 'Go on'], [3, 'Fix it']), prompts), [
      [2, 3],
      [3, 6],
    ]);
  });

  it('tells prompts with the same text apart by the distance to the turn that follows', () => {
    const prompts = replayed('Go on', 'Go on', 'Go on', 'Fix it');
    assert.deepEqual(placed(recorded([1, 'Go on'], [4, 'Fix it']), prompts), [
      [1, 0],
      [4, 9],
    ]);
    assert.deepEqual(placed(recorded([2, 'Go on'], [3, 'Go on']), replayed('Go on', 'Go on')), [
      [2, 0],
      [3, 3],
    ]);
  });

  it('finds prompts of this window by their time, whatever else has the same text', () => {
    const prompts: PlacedPrompt[] = [
      { index: 0, text: 'Go on' },
      { index: 3, text: 'Go on', began: minute - 900 },
      { index: 6, text: 'Go on', began: 2 * minute + 900 },
    ];
    assert.deepEqual(placed(recorded([1, 'Go on']), prompts), [[1, 3]]);
    assert.deepEqual(placed(recorded([2, 'Go on']), prompts), [[2, 6]]);
    assert.deepEqual(placed(recorded([3, 'Go on']), prompts.slice(1)), []);
  });

  it('tells prompts with the same text apart that were sent seconds after each other', () => {
    const prompts = [0, 6_000].map((began, at) => ({ index: at * 3, text: 'Again', began }));
    const turns = [50, 6_050].map((began, at) => ({ turn: at + 1, prompt: 'Again', began }));
    assert.deepEqual(placed(turns, prompts), [
      [1, 0],
      [2, 3],
    ]);
  });

  it('finds a turn that the agent began at the prompt before it, and counts only prompts', () => {
    const prompts = replayed('Go on', 'Go on', 'Go on', 'Fix it');
    const own = { isUnprompted: true } as const;
    const turns = [
      { turn: 2, prompt: 'Go on', began: minute },
      { turn: 3, prompt: 'Go on', began: 2 * minute, ...own },
      { turn: 4, prompt: 'Go on', began: 3 * minute, ...own, unpromptedBefore: 1 },
      { turn: 6, prompt: 'Fix it', began: 4 * minute, unpromptedBefore: 2 },
    ];
    assert.deepEqual(placed(turns, prompts), [
      [2, 3],
      [3, 3],
      [4, 3],
      [6, 9],
    ]);
    const sent = [{ index: 0, text: 'Go on', began: 0 }];
    assert.deepEqual(placed(turns.slice(1, 2), sent), [[3, 0]], 'however long ago that was sent');
  });

  it('compares beginnings, without what agents change in a text', () => {
    const long = 'Look at every file '.repeat(20);
    const prompts = replayed(` Fix\r\n  it  `, long);
    assert.deepEqual(placed(recorded([1, 'Fix\nit'], [2, long.slice(0, 80)]), prompts), [
      [1, 0],
      [2, 3],
    ]);
  });

  it('keeps the order, and is linear for thousands of turns', () => {
    const texts = Array.from({ length: 5000 }, (_, at) => `Prompt ${at}`);
    const turns = recorded(...texts.map((text, at) => [at + 1, text] as const));
    const places = placed(turns, replayed(...texts));
    assert.equal(places.length, 5000);
    assert.ok(places.every(([turn, index]) => index === (turn - 1) * 3));
    assert.deepEqual(placed(recorded([1, 'B'], [2, 'A']), replayed('A', 'B')), [[2, 0]]);
  });
});
