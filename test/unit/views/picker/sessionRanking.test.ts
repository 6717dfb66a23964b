import assert from 'node:assert/strict';
import {
  type Candidate,
  candidateIndex,
  rankCandidates,
} from '../../../../src/views/picker/sessionRanking';

const day = 24 * 3600 * 1000;
const now = 1000 * day;

function candidate(title: string, more: Partial<Candidate> = {}): Candidate {
  return {
    title,
    otherTitle: '',
    agent: 'Demo Agent',
    folder: 'shop',
    sessionId: `id of ${title}`,
    facts: '',
    updatedAt: now - day,
    rank: 0,
    ...more,
  };
}

function titles(candidates: readonly Candidate[], text: string, limit = 50): readonly string[] {
  return rankCandidates(candidateIndex(candidates), text, limit, now).map(({ title }) => title);
}

describe('ranking of sessions', () => {
  it('without a text: what a person has to do with first, then the newest, undated last', () => {
    const found = titles(
      [
        candidate('undated', { updatedAt: undefined }),
        candidate('old', { updatedAt: now - 90 * day }),
        candidate('open', { updatedAt: now - 80 * day, rank: 2 }),
        candidate('new'),
        candidate('needs you', { updatedAt: now - 99 * day, rank: 4 }),
      ],
      ' ',
    );
    assert.deepEqual(found, ['needs you', 'open', 'new', 'old', 'undated']);
  });

  it('finds by letters with others between them, by every part, and by parts together', () => {
    const sessions = [
      candidate('Fix rounding in the cart', { agent: 'Claude', folder: 'shop' }),
      candidate('Write docs', { agent: 'Codex', folder: 'site', facts: 'branch: payments' }),
      candidate('Nightly', { otherTitle: 'Run all benchmarks', sessionId: '4f2a-77' }),
    ];
    assert.deepEqual(titles(sessions, 'fixcart'), ['Fix rounding in the cart']);
    assert.deepEqual(titles(sessions, 'payments'), ['Write docs']);
    assert.deepEqual(titles(sessions, '4f2a'), ['Nightly']);
    assert.deepEqual(titles(sessions, 'benchmarks'), ['Nightly']);
    assert.deepEqual(titles(sessions, 'docs codex'), ['Write docs']);
    assert.deepEqual(titles(sessions, 'zzz'), []);
  });

  it('puts the newer and the open one first among equals, and a better match before both', () => {
    const sessions = [
      candidate('Cart total', { updatedAt: now - 300 * day, sessionId: '1' }),
      candidate('Cart total, again', { updatedAt: now - 200 * day, rank: 3, sessionId: '2' }),
      candidate('Carry the other total', { rank: 0, sessionId: '3' }),
    ];
    assert.equal(titles(sessions, 'cart total')[0], 'Cart total, again');
    const same = [
      candidate('Cart', { updatedAt: now - 300 * day, folder: 'old' }),
      candidate('Cart', { updatedAt: now - day, folder: 'new' }),
    ];
    const [first] = rankCandidates(candidateIndex(same), 'cart', 5, now);
    assert.equal(first?.folder, 'new');
  });

  it('hands on no more than was asked for', () => {
    const many = Array.from({ length: 500 }, (_, at) => candidate(`Cart ${at}`));
    assert.equal(titles(many, 'cart', 200).length, 200);
    assert.equal(titles(many, '', 200).length, 200);
  });
});
