import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FromWebview } from '../../../src/shared/messages';
import { parseFromWebview, parseSavedState } from '../../../src/shared/validators';

/** One good message of each type: the record's type makes the compiler name a missing one. */
const good: { [Type in FromWebview['type']]: Extract<FromWebview, { type: Type }> } = {
  ready: { type: 'ready' },
  resync: { type: 'resync' },
  window: { type: 'window', start: 10, end: 160, follow: false },
  openLink: { type: 'openLink', href: 'https://example.org/' },
  openLocation: { type: 'openLocation', index: 3, location: 0 },
  openDiff: { type: 'openDiff', index: 3, content: 1 },
  openText: { type: 'openText', index: 3, part: 'rawOutput', item: 0 },
  cancelLoad: { type: 'cancelLoad' },
  action: { type: 'action', action: 'retry' },
  find: { type: 'find', query: 1, text: 'needle', matchCase: true },
  seek: { type: 'seek', target: 'turn', direction: 'next', from: 12 },
};

const saved = {
  agentId: 'demo',
  sessionId: 's-1',
  cwd: '/home/ann/shop',
  additionalDirectories: ['/home/ann/lib'],
  title: 'Fix the build',
};

describe('messages of the webview', () => {
  for (const message of Object.values(good)) {
    it(`takes a good "${message.type}"`, () => {
      assert.deepEqual(parseFromWebview(message), message);
    });

    for (const key of Object.keys(message).filter((name) => name !== 'type')) {
      it(`refuses "${message.type}" with a wrong or missing ${key}`, () => {
        const rest = Object.entries(message).filter(([name]) => name !== key);
        assert.equal(parseFromWebview(Object.fromEntries(rest)), undefined);
        for (const wrong of [null, {}, [], -1, 1.5, Number.NaN, '', 'x'.repeat(10_001), 1e12]) {
          const kept = key === 'text' && wrong === '';
          assert.equal(parseFromWebview({ ...message, [key]: wrong }) !== undefined, kept);
        }
      });
    }

    it(`leaves properties behind that "${message.type}" does not have`, () => {
      assert.deepEqual(parseFromWebview({ ...message, command: 'workbench.action.quit' }), message);
    });
  }

  it('refuses a window that is backwards or larger than the webview may hold', () => {
    assert.equal(parseFromWebview({ ...good.window, start: 161 }), undefined);
    assert.equal(parseFromWebview({ ...good.window, end: 1011 }), undefined);
  });

  it('refuses names that every object has', () => {
    assert.equal(parseFromWebview({ type: 'constructor' }), undefined);
    assert.equal(parseFromWebview({ type: '__proto__' }), undefined);
  });

  it('never throws and answers only with known types', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const message = parseFromWebview(value);
        assert.ok(message === undefined || message.type in good);
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(good)),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (type, rest) => {
          parseFromWebview({ ...rest, type });
        },
      ),
    );
  });
});

describe('the state that a tab comes back from', () => {
  it('is read back as it was written', () => {
    for (const anchor of ['end', { index: 7, offset: 12 }] as const) {
      assert.deepEqual(parseSavedState({ saved, anchor }), { saved, anchor });
    }
  });

  it('opens at the end when the place is unreadable', () => {
    for (const anchor of [undefined, null, 'start', { index: -1, offset: 0 }, { index: 1 }]) {
      assert.deepEqual(parseSavedState({ saved, anchor }), { saved, anchor: 'end' });
    }
  });

  it('is nothing when the session is not named in full', () => {
    for (const key of Object.keys(saved)) {
      assert.equal(parseSavedState({ saved: { ...saved, [key]: 5 }, anchor: 'end' }), undefined);
    }
    assert.equal(parseSavedState(undefined), undefined);
    assert.equal(parseSavedState({ saved: { ...saved, additionalDirectories: [1] } }), undefined);
  });
});
