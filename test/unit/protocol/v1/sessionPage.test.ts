import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import { readSessionPage } from '../../../../src/protocol/v1/sessionPage';

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
