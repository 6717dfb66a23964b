import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Attachment } from '../../../../src/shared/transcript/prompt';
import { noFolds } from '../../../../src/shared/transcript/savedFolds';
import { parseFromWebview, parseSavedState } from '../../../../src/shared/transcript/validators';
import type { FromWebview } from '../../../../src/shared/transcript/webviewMessages';
import { fc } from '../../../support/properties';

/** One valid message of each type; the record's type makes the compiler report a missing one. */
const good: { [Type in FromWebview['type']]: Extract<FromWebview, { type: Type }> } = {
  ready: { type: 'ready' },
  resync: { type: 'resync' },
  silent: { type: 'silent', tone: 'ended' },
  typing: { type: 'typing', typing: true },
  window: { type: 'window', start: 10, end: 160, follow: false },
  findFiles: { type: 'findFiles', id: 1, texts: ['src/a.ts:3', 'b.md'] },
  unfold: { type: 'unfold', number: 2, rows: 12 },
  stopSubagent: { type: 'stopSubagent', number: 2 },
  stopTask: { type: 'stopTask', id: 'terminal t' },
  showRow: { type: 'showRow', index: 3 },
  openLink: { type: 'openLink', href: 'https://example.org/' },
  openLocation: { type: 'openLocation', index: 3, location: 0 },
  openDiff: { type: 'openDiff', index: 3, content: 1 },
  openText: { type: 'openText', index: 3, part: 'rawOutput', item: 0 },
  cancelLoad: { type: 'cancelLoad' },
  keep: { type: 'keep' },
  action: { type: 'action', action: 'retry' },
  reviewTurn: { type: 'reviewTurn', turn: 2, act: 'keep' },
  restoreBefore: { type: 'restoreBefore', index: 4 },
  branch: { type: 'branch', act: 'retry', index: 4 },
  plan: { type: 'plan', act: 'continue', index: 4 },
  openOrigin: { type: 'openOrigin' },
  openFact: { type: 'openFact', opens: 'check' },
  openFork: { type: 'openFork', sessionId: 's2' },
  find: {
    type: 'find',
    query: 1,
    from: 7,
    search: { text: 'needle', matchCase: true, wholeWord: false, isPattern: true },
  },
  mark: { type: 'mark', id: 2, query: 1, rows: [{ index: 3, text: 'a needle' }] },
  copy: { type: 'copy', what: 'turn', index: 3, last: 3 },
  copyCode: { type: 'copyCode', index: 3, part: 'blocks', item: 0, at: 2 },
  useCode: {
    type: 'useCode',
    how: 'insert',
    language: 'ts',
    ...{ index: 3, part: 'content', item: 0, at: 2 },
  },
  seek: { type: 'seek', target: 'turn', direction: 'next', from: 12 },
  prompt: {
    type: 'prompt',
    draft: {
      text: 'Fix it',
      attachments: [
        { type: 'file', uri: 'file:///project/shop/cart.ts', name: 'cart.ts' },
        {
          type: 'selection',
          uri: 'untitled:Untitled-1',
          name: 'Untitled-1',
          startLine: 3,
          endLine: 4,
          text: 'a\nb',
        },
        { type: 'image', name: 'shop.png', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
  },
  cancelTurn: { type: 'cancelTurn' },
  forceFinish: { type: 'forceFinish' },
  sendWhenReset: { type: 'sendWhenReset', index: 3 },
  sendAgain: { type: 'sendAgain', index: 4 },
  removeQueued: { type: 'removeQueued', id: 2 },
  editQueued: { type: 'editQueued', id: 2 },
  setMode: { type: 'setMode', modeId: 'plan' },
  chooseFirst: { type: 'chooseFirst', kind: 'agent', value: 'a' },
  goOnInMode: { type: 'goOnInMode' },
  setConfigOption: { type: 'setConfigOption', configId: 'model', value: 'large' },
  allowByRule: { type: 'allowByRule', requestId: 7 },
  answerPermission: { type: 'answerPermission', requestId: 7, optionId: 'allow' },
  answerElicitation: {
    type: 'answerElicitation',
    id: 3,
    requestId: 8,
    action: 'accept',
    values: { name: 'Ann', count: 2.5, sure: true, colours: ['red', 'blue'] },
  },
  searchMentions: { type: 'searchMentions', id: 3, text: 'cart' },
  dropFiles: { type: 'dropFiles', uris: ['file:///project/shop/cart.ts'] },
  openAttachment: {
    type: 'openAttachment',
    attachment: { type: 'context', source: 'problems', about: '', name: 'Problems' },
  },
  pickFiles: { type: 'pickFiles' },
  editInEditor: { type: 'editInEditor', draft: { text: 'Go on', attachments: [] } },
  draft: {
    type: 'draft',
    draft: {
      text: 'Go o',
      attachments: [{ type: 'file', uri: 'file:///project/shop/cart.ts', name: 'cart.ts' }],
    },
  },
  sendQueued: { type: 'sendQueued', id: 4 },
  sendNow: { type: 'sendNow', id: 4 },
  moveQueued: { type: 'moveQueued', id: 4, to: 1 },
  usePrompt: { type: 'usePrompt', id: 4, uri: 'file:///p/.acp/prompts/review.prompt.acp' },
  openTerminal: { type: 'openTerminal', terminalId: 'term-1' },
  openChanges: { type: 'openChanges' },
  openChange: { type: 'openChange', path: '/project/shop/cart.ts' },
};

/** Fields that may be an empty text, list or object, because agents choose these names. */
const mayBeEmpty: Readonly<Record<string, unknown>> = {
  text: '',
  modeId: '',
  value: '',
  configId: '',
  optionId: '',
  terminalId: '',
  path: '',
  language: '',
  uris: [],
  values: {},
};

/** Fields that may be as long as paths. */
const paths: ReadonlySet<string> = new Set(['href', 'path']);

const saved = {
  agentId: 'demo',
  sessionId: 's-1',
  cwd: '/project/shop',
  additionalDirectories: ['/project/lib'],
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
        const long = 'x'.repeat(paths.has(key) ? 32_768 : 10_001);
        for (const wrong of [null, {}, [], -1, 1.5, Number.NaN, '', long, 1e12]) {
          const kept = Object.hasOwn(mayBeEmpty, key) && isDeepStrictEqual(wrong, mayBeEmpty[key]);
          assert.equal(parseFromWebview({ ...message, [key]: wrong }) !== undefined, kept);
        }
      });
    }

    it(`leaves properties behind that "${message.type}" does not have`, () => {
      assert.deepEqual(parseFromWebview({ ...message, command: 'workbench.action.quit' }), message);
    });
  }

  it('takes a draft without what goes along, when that has not changed', () => {
    const draft = { type: 'draft', draft: { text: 'Go on' } };
    assert.deepEqual(parseFromWebview(draft), draft);
  });

  it('takes links and paths of any length that an agent’s data may have', () => {
    for (const message of [
      { type: 'openLink', href: 'x'.repeat(32_767) },
      { type: 'openChange', path: 'x'.repeat(32_767) },
    ]) {
      assert.deepEqual(parseFromWebview(message), message);
    }
  });

  it('SEC-113: refuses a window that is backward or larger than the webview may hold', () => {
    assert.equal(parseFromWebview({ ...good.window, start: 161 }), undefined);
    assert.equal(parseFromWebview({ ...good.window, end: 1011 }), undefined);
  });

  it('takes a config option that is on or off, and no other kind of value', () => {
    const message = { type: 'setConfigOption', configId: 'search', value: true };
    assert.deepEqual(parseFromWebview(message), message);
    assert.equal(parseFromWebview({ ...message, value: 1 }), undefined);
  });

  it('takes every action that a failure can offer', () => {
    for (const action of ['retry', 'showLog', 'editAgents', 'manageTrust', 'diagnose', 'signIn']) {
      assert.deepEqual(parseFromWebview({ type: 'action', action }), { type: 'action', action });
    }
  });

  it('refuses form values that are invalid, too many or too long', () => {
    const { answerElicitation } = good;
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}`, true]));
    const bad = [
      { name: null },
      { name: { nested: 1 } },
      { name: Number.NaN },
      { name: ['a', 1] },
      { name: 'x'.repeat(100_001) },
      many,
    ];
    for (const values of bad) {
      assert.equal(parseFromWebview({ ...answerElicitation, values }), undefined);
    }
  });

  it('keeps a field that is named like something every object has', () => {
    const values: unknown = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const parsed = parseFromWebview({ ...good.answerElicitation, values });
    assert.ok(parsed?.type === 'answerElicitation');
    assert.deepEqual(Object.entries(parsed.values), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
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

describe('a prompt of the webview', () => {
  const file: Attachment = { type: 'file', uri: 'file:///a', name: 'a' };
  const image: Attachment = { type: 'image', name: 'a', mimeType: 'image/png', data: 'AAAA' };
  const selection = good.prompt.draft.attachments[1];

  function isTaken(draft: unknown): boolean {
    return parseFromWebview({ type: 'prompt', draft }) !== undefined;
  }

  it('may be long, but has an end', () => {
    assert.ok(isTaken({ text: 'x'.repeat(1_000_000), attachments: [] }));
    assert.ok(!isTaken({ text: 'x'.repeat(1_000_001), attachments: [] }));
  });

  it('has a bounded number of attachments', () => {
    assert.ok(isTaken({ text: '', attachments: Array(100).fill(file) }));
    assert.ok(!isTaken({ text: '', attachments: Array(101).fill(file) }));
  });

  it('CO-2: has images of the types that agents and browsers know, as base64, up to a size', () => {
    for (const mimeType of ['image/png', 'image/jpeg', 'image/gif', 'image/webp']) {
      assert.ok(isTaken({ text: '', attachments: [{ ...image, mimeType }] }));
    }
    const large = 15 * 1024 * 1024;
    assert.ok(isTaken({ text: '', attachments: [{ ...image, data: 'A'.repeat(large) }] }));
    const bad = [
      { ...image, mimeType: 'image/svg+xml' },
      { ...image, mimeType: 'text/html' },
      { ...image, data: '<svg>' },
      { ...image, data: 'A'.repeat(large + 4) },
    ];
    for (const attachment of bad) {
      assert.ok(!isTaken({ text: '', attachments: [attachment] }));
    }
    const all = Array(5).fill({ ...image, data: 'A'.repeat(large) });
    assert.ok(!isTaken({ text: '', attachments: all }));
  });

  it('has files by a file address, and selections with lines that there can be', () => {
    const bad = [
      { ...file, uri: 'https://example.org/' },
      { ...file, uri: 'command:workbench.action.quit' },
      { ...file, name: 1 },
      { ...selection, startLine: 0 },
      { ...selection, startLine: 5, endLine: 4 },
      { ...selection, text: undefined },
      { type: 'audio', name: 'a' },
      null,
    ];
    for (const attachment of bad) {
      assert.ok(!isTaken({ text: '', attachments: [file, attachment] }));
    }
  });
});

describe('the state that a tab comes back from', () => {
  const history = ['First', 'Second'];

  it('is read back as it was written', () => {
    for (const anchor of ['end', { index: 7, offset: 12 }] as const) {
      const folds = { kinds: { tool: false }, parts: [['3:thought', true]] };
      const written = { saved, anchor, folds, history };
      assert.deepEqual(parseSavedState(written), written);
    }
  });

  it('has no history where it is unreadable', () => {
    for (const bad of [undefined, null, 'text', { text: 'x' }, 5]) {
      const read = parseSavedState({ saved, anchor: 'end', history: bad });
      assert.deepEqual(read, { saved, anchor: 'end', folds: noFolds, history: [] });
    }
  });

  it('has the newest prompts only', () => {
    const texts = Array.from({ length: 60 }, (_, at) => `Prompt ${at}`);
    const read = parseSavedState({
      saved,
      anchor: 'end',
      history: [...texts, 'x'.repeat(10_001), 5],
    });
    assert.deepEqual(read?.history, texts.slice(-50));
  });

  it('has the folds that can be read, and the newest of too many', () => {
    const parts = Array.from({ length: 600 }, (_, at) => [`${at}:tool`, true]);
    const folds = {
      kinds: { thought: true, tool: 'yes', plan: false },
      parts: [...parts, ['x'.repeat(300), true], ['1:plan'], 5],
    };
    const read = parseSavedState({ saved, anchor: 'end', folds })?.folds;
    assert.deepEqual(read, { kinds: { thought: true }, parts: parts.slice(-500) });
  });

  it('opens at the end when the place is unreadable', () => {
    for (const anchor of [undefined, null, 'start', { index: -1, offset: 0 }, { index: 1 }]) {
      assert.equal(parseSavedState({ saved, anchor, history })?.anchor, 'end');
    }
  });

  it('takes folders of any length that a path may have', () => {
    const long = `/${'x'.repeat(32_000)}`;
    const far = { ...saved, cwd: long, additionalDirectories: [long] };
    assert.deepEqual(parseSavedState({ saved: far, anchor: 'end', history })?.saved, far);
  });

  it('is nothing when the session is not named in full', () => {
    for (const key of Object.keys(saved)) {
      assert.equal(parseSavedState({ saved: { ...saved, [key]: 5 }, anchor: 'end' }), undefined);
    }
    assert.equal(parseSavedState(undefined), undefined);
    assert.equal(parseSavedState({ saved: { ...saved, additionalDirectories: [1] } }), undefined);
  });
});
