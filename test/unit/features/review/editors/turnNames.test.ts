import assert from 'node:assert/strict';
import { turnName, turnNames } from '../../../../../src/features/review/editors/turnNames';
import type { SessionReview } from '../../../../../src/features/review/model/review';
import type { TurnReview } from '../../../../../src/model/changes/reviews';
import type { Sessions } from '../../../../../src/model/session/sessions';
import type { Entry } from '../../../../../src/shared/transcript/entries';

const user = (text: string): Entry => ({ kind: 'user', blocks: [{ type: 'text', text }] });
const answer: Entry = { kind: 'agent', blocks: [{ type: 'text', text: 'Done' }] };

function recorded(turn: number, prompt: string): TurnReview {
  const rest = { began: 0, files: ['/a'], added: 1, removed: 0, state: 'pending' } as const;
  return { turn, prompt, ...rest };
}

describe('the names of turns outside of a transcript', () => {
  let entries: Entry[];
  let phase: string;
  let review: SessionReview;
  beforeEach(() => {
    // The record began with the third prompt.
    entries = ['Look', 'Explain', 'Fix it', 'Thanks', 'Test it'].flatMap((it) => [
      user(it),
      answer,
    ]);
    phase = 'ready';
    review = {
      agentId: 'a',
      sessionId: 's',
      turns: [recorded(1, 'Fix it'), recorded(3, 'Test it')],
    } as unknown as SessionReview;
  });

  const open = {
    find: () => ({ phase: { kind: phase }, transcript: { entries } }),
  } as unknown as Pick<Sessions, 'find'>;
  const closed = { find: () => undefined };

  it('are the transcript’s numbers, not the record’s, also as it grows', () => {
    assert.deepEqual(
      [1, 3].map((turn) => turnName(review, turn, open)),
      ['turn 3', 'turn 5'],
    );
    assert.equal(turnNames(review, [1, 3], open), 'turns 3 to 5');
    assert.equal(turnNames(review, [3], open), 'turn 5');
    entries = [user('Before all'), answer, ...entries];
    assert.equal(turnName(review, 1, open), 'turn 4');
  });

  it('are the prompts without a transcript, or while it loads', () => {
    assert.equal(turnName(review, 1, closed), 'turn “Fix it”');
    assert.equal(turnNames(review, [1, 3], closed), '2 turns');
    phase = 'loading';
    assert.equal(turnName(review, 1, open), 'turn “Fix it”');
  });

  it('say that the agent began it where no prompt did', () => {
    const own = { ...recorded(2, 'Fix it'), isUnprompted: true } as const;
    review = { ...review, turns: [recorded(1, 'Fix it'), own, recorded(3, 'Test it')] };
    assert.equal(turnName(review, 2, open), 'a turn that the agent began');
    assert.equal(turnNames(review, [1, 2], open), '2 turns');
    assert.equal(turnName(review, 3, open), 'turn 5');
  });

  it('are the prompts where the agent has dropped them', () => {
    entries = [user('Look'), answer];
    assert.equal(turnName(review, 3, open), 'turn “Test it”');
  });
});
