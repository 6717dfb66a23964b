import assert from 'node:assert/strict';
import { AcpError } from '../../../../../src/protocol/errors';
import { readSessionPage } from '../../../../../src/protocol/shapes/sessions/sessionPage';

function withCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof AcpError && error.code === code;
}

describe('answer to session/list', () => {
  const row = { sessionId: 'a', cwd: '/w', additionalDirectories: [] };

  it('LIST-12: all fields, and each optional one missing or null', () => {
    const full = {
      ...row,
      additionalDirectories: ['/x'],
      title: 'T',
      updatedAt: '2026-01-01T00:00:00Z',
      archived: true,
      _meta: { a: 1 },
    };
    assert.deepEqual(readSessionPage({ sessions: [full] }, undefined).page.sessions, [full]);
    for (const value of [null, undefined, 5]) {
      const bare = {
        ...row,
        additionalDirectories: value,
        title: value,
        updatedAt: value,
        archived: value,
        _meta: value,
      };
      assert.deepEqual(readSessionPage({ sessions: [bare] }, undefined).page.sessions, [row]);
    }
  });

  it('T-47: that a session is open elsewhere is read from our own place in _meta', () => {
    const told = (openElsewhere: unknown): unknown => {
      const _meta = { acpSessions: { openElsewhere } };
      const { page } = readSessionPage({ sessions: [{ ...row, _meta }] }, undefined);
      return page.sessions[0]?.openElsewhere;
    };
    assert.deepEqual([true, false, 'yes', 1].map(told), [true, undefined, undefined, undefined]);
  });

  describe('T-46: what only some agents tell', () => {
    const facts = {
      state: 'requires_action',
      lastTurnEndedAt: '2026-11-20T10:00:00Z',
      gitBranch: 'feature/cart',
      cost: { amount: 0.42, currency: 'USD' },
      archived: true,
    } as const;
    const told = (more: object): object | undefined =>
      readSessionPage({ sessions: [{ ...row, ...more }] }, undefined).page.sessions[0];

    it('is read from the row, from Claude’s place in _meta and from Codex’s', () => {
      assert.deepEqual(told(facts), { ...row, ...facts });
      const claude = { jetbrains: { air: facts } };
      assert.deepEqual(told({ _meta: claude }), { ...row, ...facts, _meta: claude });
      const { state, lastTurnEndedAt, gitBranch } = facts;
      const codex = { jetbrains: { air: { gitBranch, activity: { state, lastTurnEndedAt } } } };
      assert.deepEqual(told({ _meta: codex }), {
        ...{ ...row, state, lastTurnEndedAt, gitBranch },
        _meta: codex,
      });
    });

    it('counts as absent where it can’t be meant', () => {
      const wrong = [null, 5, true, [], {}, '', 'x'.repeat(512), '__proto__'];
      for (const state of wrong) {
        assert.deepEqual(told({ state, archived: 'true' }), row);
      }
      for (const gitBranch of [null, 5, true, [], {}, '', ' \n', 'x'.repeat(512)]) {
        assert.deepEqual(told({ gitBranch }), row);
      }
      const amounts = [-1, Infinity, NaN, 2e9, '1', null, {}];
      const costs = [...amounts.map((amount) => ({ amount, currency: 'USD' })), 5, 'x', null];
      for (const cost of [...costs, { amount: 1 }, { amount: 1, currency: '$'.repeat(24) }]) {
        assert.deepEqual(told({ cost }), row);
      }
      for (const lastTurnEndedAt of [null, 5, {}, []]) {
        assert.deepEqual(told({ lastTurnEndedAt }), row);
      }
      for (const _meta of [{ jetbrains: 5 }, { jetbrains: { air: [facts] } }]) {
        assert.deepEqual(told({ _meta }), { ...row, _meta });
      }
    });
  });

  it('LIST-12: a row without its folder is in the folder that was asked for', () => {
    const { page } = readSessionPage({ sessions: [{ sessionId: 'a' }] }, '/w');
    assert.deepEqual(page.sessions, [row]);
  });

  it('LIST-19: entries that can’t be used are passed over and counted', () => {
    const sessions = [
      null,
      'x',
      [],
      {},
      { sessionId: 5, cwd: '/w' },
      { sessionId: '', cwd: '/w' },
      { sessionId: 'b' },
      row,
    ];
    assert.deepEqual(readSessionPage({ sessions }, undefined), {
      page: { sessions: [row] },
      skipped: 7,
    });
  });

  it('LIST-19: a broken list is an empty one', () => {
    for (const sessions of ['x', null, undefined, {}]) {
      assert.deepEqual(readSessionPage({ sessions }, '/w').page, { sessions: [] });
    }
  });

  it('LIST-7, LIST-9: only a string is a cursor, the empty one included', () => {
    const cursor = (nextCursor: unknown): unknown =>
      readSessionPage({ sessions: [], nextCursor }, '/w').page.nextCursor;
    assert.equal(cursor('"=/+é \u0000'), '"=/+é \u0000');
    assert.equal(cursor(''), '');
    for (const broken of [7, null, undefined, {}, true]) {
      assert.equal(cursor(broken), undefined);
    }
  });

  it('LIST-13: extra roots are strings that say something, or none', () => {
    const sessions = [{ ...row, additionalDirectories: ['/a', '', null, 5, '/b'] }];
    assert.deepEqual(readSessionPage({ sessions }, '/w').page.sessions[0]?.additionalDirectories, [
      '/a',
      '/b',
    ]);
  });

  it('SDK-8: an answer that is no object is malformed', () => {
    for (const result of [null, [], 'x']) {
      assert.throws(() => readSessionPage(result, '/w'), withCode('malformed'));
    }
  });
});
