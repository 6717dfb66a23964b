import assert from 'node:assert/strict';
import { BranchPlaces, forkedAt } from '../../../../src/features/branches/branchPlaces';
import { SessionMarks } from '../../../../src/model/marks/marks';
import type { Origin } from '../../../../src/model/marks/origin';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { Outline } from '../../../../src/views/transcript/feed/outlineFeed';
import { memento } from '../../model/fakePlatform';
import { silentLog } from '../../model/fakes';

const user = (text: string): Entry => ({ kind: 'user', blocks: [{ type: 'text', text }] });
const answer: Entry = { kind: 'agent', blocks: [{ type: 'text', text: 'Done' }] };

const entries: readonly Entry[] = [
  user('Fix it'),
  answer,
  user('Go on'),
  answer,
  user('Test it'),
  answer,
  user('Go on'),
];

function origin(turn: number, prompt: string, sessionId = 's0'): Origin {
  return { sessionId, turn, prompt, held: 'before' };
}

describe('where sessions were forked, as a transcript shows it', () => {
  const outline = new Outline(() => entries);
  let marks: SessionMarks;
  let places: BranchPlaces;
  beforeEach(() => {
    marks = new SessionMarks(memento(), silentLog);
    places = new BranchPlaces(
      marks,
      ({ sessionId }) => `Title of ${sessionId}`,
      (agentId) => `Agent ${agentId}`,
    );
  });

  const fork = (sessionId: string, of: Origin): Promise<void> =>
    marks.setOrigin({ agentId: 'a', sessionId }, of);
  const shown = (sessionId: string) => places.shown({ agentId: 'a', sessionId }, outline);

  it('is at its prompt, by number and text, and says whose fork it is', async () => {
    assert.deepEqual(shown('s0'), { forks: [] });
    await fork('f2', origin(4, 'Go on'));
    await fork('f1', origin(2, 'Go on'));
    assert.deepEqual(shown('s0').forks, [
      { sessionId: 'f1', index: 2, title: 'Title of f1' },
      { sessionId: 'f2', index: 6, title: 'Title of f2' },
    ]);
    assert.deepEqual(shown('f1').origin, { title: 'Title of s0', turn: 2, held: 'before' });
  });

  it('is found in a replay that lacks turns, or has other words', () => {
    assert.equal(forkedAt(origin(9, 'Test it'), outline), 4, 'the only one with these words');
    assert.equal(forkedAt(origin(3, 'Go on'), outline), 2, 'the first of the nearest');
    assert.equal(forkedAt(origin(3, 'Gone'), outline), 4, 'the one with this number');
    assert.equal(forkedAt(origin(9, 'Gone'), outline), undefined);
  });

  it('T-184: also names the sessions that continue it with another agent, and the one that they continue', async () => {
    await fork('f1', origin(2, 'Go on'));
    const from = { ...origin(3, 'Test it'), agentId: 'a', held: 'text' } as const;
    const other = { agentId: 'b', sessionId: 's0' };
    await marks.setOrigin(other, from);
    assert.deepEqual(shown('s0'), {
      continued: [{ ...other, title: 'Title of s0', agentTitle: 'Agent b' }],
      forks: [{ sessionId: 'f1', index: 2, title: 'Title of f1' }],
    });
    assert.deepEqual(places.shown(other, outline).origin, {
      ...{ title: 'Title of s0', agentTitle: 'Agent a', turn: 3, held: 'text' },
    });
    await marks.forget(other);
    assert.equal(shown('s0').continued, undefined);
    for (let n = 0; n < 40; n++) {
      await marks.setOrigin({ agentId: 'b', sessionId: `s${n}` }, from);
    }
    assert.equal(shown('s0').continued?.length, 20);
  });

  it('goes in circles without end for nobody', async () => {
    await fork('a', origin(1, 'Fix it', 'b'));
    await fork('b', origin(1, 'Fix it', 'a'));
    await fork('a', origin(1, 'Fix it', 'a'));
    assert.deepEqual(shown('a').origin?.title, 'Title of b');
    assert.deepEqual(
      shown('a').forks.map(({ sessionId }) => sessionId),
      ['b'],
    );
  });

  it('is a bounded number', async () => {
    for (let n = 0; n < 400; n++) {
      await fork(`f${n}`, origin(2, 'Go on'));
    }
    assert.equal(shown('s0').forks.length, 200);
    assert.equal(shown('s0').forks.at(-1)?.sessionId, 'f399');
  });
});
