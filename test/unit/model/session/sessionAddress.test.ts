import assert from 'node:assert/strict';
import {
  readSessionLink,
  readTabQuery,
  writeSessionQuery,
  writeTabQuery,
} from '../../../../src/model/session/sessionAddress';
import { fc } from '../../../support/properties';

/** VS Code decodes a query once before it passes it on. */
const read = (query: string): ReturnType<typeof readSessionLink> =>
  readSessionLink('/session', decodeURIComponent(query));

const good = 'agent=a&session=s&cwd=/w';

describe('Links to sessions', () => {
  it('come back as what they were made of', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .filter((it) => !/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(it));
    const address = fc.record(
      {
        agentId: text,
        sessionId: text,
        cwd: text.map((it) => `/project/${it.replace(/[./]/g, '-')}`),
        entry: fc.nat(99_999_999),
      },
      { requiredKeys: ['agentId', 'sessionId', 'cwd'] },
    );
    fc.assert(
      fc.property(address, (it) => {
        assert.deepEqual({ ...(read(writeSessionQuery(it)) as object) }, { ...it });
      }),
    );
  });

  it('are made of anything, half characters included', () => {
    const query = writeSessionQuery({ agentId: 'a', sessionId: 's \ud800', cwd: '/w\udc00' });
    assert.deepEqual(read(query), { agentId: 'a', sessionId: 's \ufffd', cwd: '/w\ufffd' });
  });

  it('are read in every form that users may write', () => {
    assert.deepEqual(read(`${good}&entry=7`), {
      agentId: 'a',
      sessionId: 's',
      cwd: '/w',
      entry: 7,
    });
  });

  const nonsense: readonly (readonly [string, string, RegExp])[] = [
    ['/elsewhere', good, /doesn’t lead to a session/],
    ['', good, /doesn’t lead to a session/],
    ['/session', '', /must name an agent/],
    ['/session', 'agent=a&session=s', /must name an agent/],
    ['/session', 'agent=&session=s&cwd=/w', /Its agent is empty/],
    ['/session', `${good}&session=t`, /names its session twice/],
    ['/session', `${good}&command=rm`, /unknown parameters/],
    ['/session', `${good}&__proto__=x`, /unknown parameters/],
    ['/session', 'agent=a&session=s&cwd=w', /must be an absolute path/],
    ['/session', 'agent=a&session=s&cwd=/w/../x', /must be an absolute path/],
    ['/session', 'agent=a&session=s%00&cwd=/w', /invisible/],
    ['/session', 'agent=a&session=s&cwd=/w%0a', /invisible/],
    ['/session', 'agent=\u202ea&session=s&cwd=/w', /invisible/],
    ['/session', `agent=a&session=${'s'.repeat(1001)}&cwd=/w`, /too long/],
    ['/session', 'x'.repeat(20_001), /too long/],
    ['/session', `${good}&entry=-1`, /isn’t a number/],
    ['/session', `${good}&entry=1e3`, /isn’t a number/],
    ['/session', `${good}&entry=12345678901`, /too long/],
  ];
  for (const [path, query, why] of nonsense) {
    it(`are refused: ${path}?${query.slice(0, 50)}`, () => {
      const reason = readSessionLink(path, query);
      assert.ok(typeof reason === 'string');
      assert.match(reason, why);
    });
  }
});

describe('URIs of tabs', () => {
  it('come back as what they were made of, whatever an agent calls its sessions', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 40, unit: 'binary' })
      .filter((it) => !/[\0\p{Cs}]/u.test(it));
    const address = fc.record({ agentId: text, sessionId: text, cwd: text });
    fc.assert(
      fc.property(address, (it) => {
        assert.deepEqual({ ...readTabQuery(writeTabQuery(it)) }, { ...it });
      }),
    );
  });

  const nonsense: readonly string[] = [
    '',
    'agent=a&session=s',
    'agent=a&session=&cwd=/w',
    `${good}&entry=7`,
    `${good}&session=t`,
    `${good}&additionalDirectories=/etc`,
    `${good}&__proto__=x`,
    'agent=a&session=s%00&cwd=/w',
    `agent=a&session=${'s'.repeat(8_193)}&cwd=/w`,
    `${good}${'x'.repeat(500_000)}`,
  ];
  for (const query of nonsense) {
    it(`SEC-66: are refused when they say anything else: ${query.slice(0, 50)}`, () => {
      assert.equal(readTabQuery(query), undefined);
    });
  }
});
