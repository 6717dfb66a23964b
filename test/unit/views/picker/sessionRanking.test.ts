import assert from 'node:assert/strict';
import { CandidateIndex, type SessionCandidate } from '../../../../src/views/picker/sessionRanking';

const day = 24 * 3600 * 1000;
const now = 1000 * day;

function candidate(title: string, more: Partial<SessionCandidate> = {}): SessionCandidate {
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

function indexOf(candidates: readonly SessionCandidate[]): CandidateIndex<SessionCandidate> {
  const index = new CandidateIndex<SessionCandidate>();
  index.hold(candidates);
  return index;
}

function titles(
  candidates: readonly SessionCandidate[],
  text: string,
  limit = 50,
): readonly string[] {
  return indexOf(candidates)
    .best(text, limit, now)
    .map(({ title }) => title);
}

describe('ranking of sessions', () => {
  it('without a text: sessions in use first, then the newest, undated last', () => {
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
    const [first] = indexOf(same).best('cart', 5, now);
    assert.equal(first?.folder, 'new');
  });

  it('hands on no more than was asked for', () => {
    const many = Array.from({ length: 500 }, (_, at) => candidate(`Cart ${at}`));
    assert.equal(titles(many, 'cart', 200).length, 200);
    assert.equal(titles(many, '', 200).length, 200);
  });

  it('finds one of thousands by any part, and puts the likeliest first', () => {
    const many = [
      ...Array.from({ length: 3000 }, (_, at) => candidate(`Prefix ${at}`, { folder: 'fixtures' })),
      candidate('Ältere Fälle', { facts: 'branch: payments', updatedAt: now - 900 * day }),
      candidate('Ścieżka do Łodzi', { updatedAt: now - 900 * day }),
      candidate('Don’t round – truncate', { updatedAt: now - 900 * day }),
      candidate('Fix the cart', { agent: 'Codex', updatedAt: now - 900 * day }),
    ];
    assert.equal(titles(many, 'fix the')[0], 'Fix the cart');
    assert.deepEqual(titles(many, 'fxcart'), ['Fix the cart']);
    assert.deepEqual(titles(many, 'codex'), ['Fix the cart']);
    assert.deepEqual(titles(many, 'codex cart'), ['Fix the cart']);
    assert.deepEqual(titles(many, 'PAYMENTS falle'), ['Ältere Fälle']);
    assert.deepEqual(titles(many, 'lodzi'), ['Ścieżka do Łodzi']);
    assert.deepEqual(titles(many, "don't round - trunc"), ['Don’t round – truncate']);
    assert.deepEqual(titles(many, '–'), ['Don’t round – truncate']);
    assert.equal(titles(many, '2999')[0], 'Prefix 2999');
    assert.equal(titles(many, 'fixtures', 100).length, 100);
  });

  it('finds the same whatever was looked for before', () => {
    const index = indexOf(Array.from({ length: 3000 }, (_, at) => candidate(`Cart ${at}`)));
    const typed = [
      'c',
      'ca',
      'cart',
      'cart ',
      'cart 2',
      'cart 29',
      'cart 2',
      'c',
      '2',
      '29',
      '2999',
      'art',
    ];
    for (const text of typed) {
      const fresh = indexOf(Array.from({ length: 3000 }, (_, at) => candidate(`Cart ${at}`)));
      assert.deepEqual(
        index.best(text, 50, now).map(({ title }) => title),
        fresh.best(text, 50, now).map(({ title }) => title),
        text,
      );
    }
  });

  it('knows what it was given last', () => {
    const kept = candidate('Cart total');
    const index = indexOf([kept, candidate('Cart of old')]);
    assert.equal(index.best('cart', 5, now).length, 2);
    index.hold([candidate('Cart of today'), kept]);
    assert.deepEqual(
      index.best('cart', 5, now).map(({ title }) => title),
      ['Cart total', 'Cart of today'],
    );
  });
});
