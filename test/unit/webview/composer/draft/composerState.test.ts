import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Attachment } from '../../../../../src/shared/transcript/prompt';
import type {
  FromWebview,
  SavedState,
  SessionState,
} from '../../../../../src/shared/transcript/webviewMessages';
import { ComposerState } from '../../../../../src/webview/composer/draft/composerState';
import { DraftKeeper } from '../../../../../src/webview/composer/draft/draftKeeper';
import { TranscriptState } from '../../../../../src/webview/state/state';

const session: SessionState = {
  writable: { kind: 'yes' },
  turn: { kind: 'idle' },
  queue: [],
  canSteer: false,
  commands: [
    { name: 'compact', description: 'Fold the context' },
    { name: 'review', description: 'Review changes', hint: 'what to review' },
    { name: 'pr-review', description: 'Review a pull request' },
  ],
  configOptions: [],
  takesImages: true,
  changedFiles: [],
  savedPrompts: [],
  waiting: [],
};

const file: Attachment = { type: 'file', uri: 'file:///project/a.ts', name: 'a.ts' };
const image: Attachment = { type: 'image', name: 'a.png', mimeType: 'image/png', data: 'AAAA' };
const nothing: Pick<SavedState, 'history'> = { history: [] };
const noDraft = { text: '', attachments: [] };

describe('the composer', () => {
  let posted: FromWebview[];
  let state: TranscriptState;
  let composer: ComposerState;

  function open(changes: Partial<SessionState> = {}, kept = nothing): void {
    posted = [];
    state = new TranscriptState((message) => posted.push(message));
    state.receive({
      type: 'snapshot',
      revision: 1,
      header: { title: 'Fix it', agentTitle: 'Claude', folder: 'project', cwd: '/project' },
      phase: { kind: 'ready' },
      session: { ...session, ...changes },
      count: 0,
      start: 0,
      entries: [],
    });
    composer = new ComposerState(state, (message) => posted.push(message), kept);
  }

  function type(text: string): void {
    composer.type(text, text.length);
  }

  function names(): string[] {
    return composer.completion.suggestions.value.map((suggestion) => {
      switch (suggestion.kind) {
        case 'command':
          return suggestion.command.name;
        case 'savedPrompt':
          return suggestion.prompt.name;
        case 'file':
          return suggestion.file.name;
        case 'context':
          return suggestion.context.mention;
      }
    });
  }

  beforeEach(() => open());

  it('sends text and attachments once, is empty then, and follows the end', () => {
    state.follow.value = false;
    type('Look at this \n');
    composer.attach([file, image]);
    composer.send();
    composer.send();
    assert.deepEqual(posted, [
      { type: 'prompt', draft: { text: 'Look at this', attachments: [file, image] } },
    ]);
    assert.equal(composer.text.value, '');
    assert.deepEqual(composer.attachments.value, []);
    assert.equal(state.follow.value, true);
  });

  it('sends attachments alone, but not nothing, and nothing where writing is not possible', () => {
    type(' \n ');
    composer.send();
    composer.attach([file]);
    composer.send();
    assert.equal(posted.length, 1);
    open({ writable: { kind: 'no', reason: 'The agent is gone.' } });
    type('Hello');
    composer.send();
    assert.deepEqual(posted, []);
    assert.equal(composer.text.value, 'Hello');
  });

  it('keeps and explains content that is too large to send', () => {
    type('x'.repeat(1_000_001));
    composer.send();
    assert.deepEqual(posted, []);
    assert.match(composer.problem.value ?? '', /too large/);
    type('x');
    assert.equal(composer.problem.value, undefined);
  });

  it('PR-2, CO-2: takes no image that the agent would not take, and says so', () => {
    open({ takesImages: false });
    composer.attach([image, file]);
    assert.deepEqual(composer.attachments.value, [file]);
    assert.match(composer.problem.value ?? '', /Claude doesn’t accept images/);
  });

  it('PR-2: sends no image of a draft from before to an agent that takes none', () => {
    open({ takesImages: false });
    const draft = { text: 'See', attachments: [image] };
    composer.receive({ type: 'draft', draft, left: 0 });
    assert.match(composer.obstacle.value ?? '', /Claude doesn’t accept images/);
    composer.send();
    assert.deepEqual(posted, []);
    composer.remove(image);
    composer.send();
    assert.equal(posted.length, 1);
  });

  it('takes a file once, and only so many', () => {
    composer.attach([file, { ...file }]);
    assert.equal(composer.attachments.value.length, 1);
    composer.attach(
      Array.from({ length: 120 }, (_, at) => ({ ...file, uri: `file:///project/${at}` })),
    );
    assert.equal(composer.attachments.value.length, 100);
    assert.match(composer.problem.value ?? '', /at most 100/);
  });

  it('CM-1: offers commands at the start of the text, those that begin so first', () => {
    type('/');
    assert.deepEqual(names(), ['compact', 'review', 'pr-review']);
    type('/RE');
    assert.deepEqual(names(), ['review', 'pr-review']);
    type('/review ');
    assert.deepEqual(names(), []);
    type('do /re');
    assert.deepEqual(names(), []);
    type('/nothing');
    assert.deepEqual(names(), []);
  });

  it('CM-2: puts a command in as text', () => {
    type('/re');
    const chosen = composer.completion.current;
    assert.ok(chosen);
    composer.choose(chosen);
    assert.equal(composer.text.value, '/review ');
    assert.deepEqual(names(), []);
    composer.type('/review the cart', 16);
    composer.send();
    assert.deepEqual(posted, [
      { type: 'prompt', draft: { text: '/review the cart', attachments: [] } },
    ]);
  });

  it('offers the prompts that the workspace keeps after the commands, and asks for the chosen one', async () => {
    const kept = {
      uri: 'file:///p/.acp/prompts/release.prompt.acp',
      name: 'release',
      description: '',
    };
    open({ savedPrompts: [kept] });
    type('/re');
    assert.deepEqual(names(), ['review', 'pr-review', 'release']);
    composer.completion.move(-1);
    const chosen = composer.completion.current;
    assert.ok(chosen);
    composer.choose(chosen);
    assert.deepEqual(posted, [{ type: 'usePrompt', id: 1, uri: kept.uri }]);
    assert.equal(composer.text.value, '');
    const value = { text: 'Release 2.0', attachments: [file] };
    state.receive({ type: 'reply', id: 1, to: 'usePrompt', value });
    await setImmediate();
    assert.equal(composer.text.value, 'Release 2.0');
    assert.deepEqual(composer.attachments.value, [file]);
    assert.ok(composer.wantsFocus.value);
  });

  it('says below it that a prompt which the workspace keeps couldn’t be had', async () => {
    const kept = { uri: 'file:///p/release.prompt.acp', name: 'release', description: '' };
    open({ savedPrompts: [kept] });
    type('/rel');
    const chosen = composer.completion.current;
    assert.ok(chosen);
    composer.choose(chosen);
    state.receive({ type: 'reply', id: 1, to: 'usePrompt', failed: true });
    await setImmediate();
    assert.equal(composer.problem.value, 'This failed. See the log for details.');
  });

  it('hands the draft over to an editor, and keeps nothing of it', () => {
    composer.type('Look at this', 12);
    composer.attach([file]);
    composer.editInEditor();
    assert.deepEqual(posted, [
      { type: 'editInEditor', draft: { text: 'Look at this', attachments: [file] } },
    ]);
    assert.equal(composer.text.value, '');
    assert.deepEqual(composer.attachments.value, []);
  });

  it('CM-3: follows the commands of the session while they are shown', () => {
    type('/');
    state.receive({
      type: 'patch',
      revision: 2,
      session: { ...session, commands: [{ name: 'new', description: '' }] },
      changes: [],
    });
    assert.deepEqual(names(), ['new']);
  });

  it('moves around the ends of the suggestions, and offers none again once dismissed', () => {
    type('/');
    composer.completion.move(-1);
    assert.equal(composer.completion.selected.value, 2);
    composer.completion.move(1);
    assert.equal(composer.completion.selected.value, 0);
    composer.completion.dismiss();
    type('/c');
    assert.deepEqual(names(), []);
    type('');
    type('/c');
    assert.deepEqual(names(), ['compact']);
  });

  describe('looking for files', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    function answer(id: number, name: string): Promise<void> {
      const uri = `file:///project/${name}`;
      const value = [{ uri, name, detail: 'src', isFolder: false }];
      state.receive({ type: 'reply', id, to: 'searchMentions', value });
      return setImmediate();
    }

    it('asks once typing pauses, and drops answers to older questions', async () => {
      type('see @');
      type('see @ca');
      type('see @car');
      mock.timers.runAll();
      type('see @cart');
      mock.timers.runAll();
      const asked = posted.map((message) =>
        message.type === 'searchMentions' ? message : undefined,
      );
      assert.deepEqual(
        asked.map((message) => message?.text),
        ['car', 'cart'],
      );
      await answer(1, 'car.ts');
      assert.deepEqual(names(), []);
      await answer(2, 'cart.ts');
      assert.deepEqual(names(), ['cart.ts']);
    });

    it('says that they couldn’t be looked for, unless something else is written by then', async () => {
      type('see @car');
      mock.timers.runAll();
      type('see @cart');
      mock.timers.runAll();
      state.receive({ type: 'reply', id: 1, to: 'searchMentions', failed: true });
      await setImmediate();
      assert.equal(composer.problem.value, undefined);
      state.receive({ type: 'reply', id: 2, to: 'searchMentions', failed: true });
      await setImmediate();
      assert.equal(composer.problem.value, 'This failed. See the log for details.');
    });

    it('names the chosen file in the text and sends it along', async () => {
      composer.type('see @ca now', 7);
      mock.timers.runAll();
      await answer(1, 'cart.ts');
      const chosen = composer.completion.current;
      assert.ok(chosen);
      composer.choose(chosen);
      assert.equal(composer.text.value, 'see @cart.ts now');
      assert.equal(composer.placed.value?.caret, 13);
      assert.deepEqual(composer.attachments.value, [
        { type: 'file', uri: 'file:///project/cart.ts', name: 'cart.ts', mention: '@cart.ts' },
      ]);
    });

    it('asks for nothing within an address, and nothing when the caret is gone', () => {
      type('ann@example');
      type('see @ca');
      composer.moveCaret(undefined);
      mock.timers.runAll();
      assert.deepEqual(posted, []);
    });
  });

  it('brings prompts of this tab back, older and newer', () => {
    for (const text of ['one', 'two', 'two', 'three']) {
      type(text);
      composer.send();
    }
    const step = (direction: 'older' | 'newer'): string | undefined =>
      composer.recall(direction) ? composer.text.value : undefined;
    assert.deepEqual(
      [step('older'), step('older'), step('older'), step('older')],
      ['three', 'two', 'one', undefined],
    );
    assert.deepEqual(
      [step('newer'), step('newer'), step('newer'), step('newer')],
      ['two', 'three', '', undefined],
    );
    type('my own');
    assert.equal(step('older'), undefined);
    assert.equal(composer.text.value, 'my own');
  });

  it('comes back with draft and history, and remembers only so many prompts', () => {
    const draft = { text: 'half a', attachments: [file] };
    const history = Array.from({ length: 50 }, (_, at) => `prompt ${at}`);
    posted = [];
    composer = new ComposerState(state, (message) => posted.push(message), { history });
    assert.equal(composer.draft.value, undefined, 'nothing is known of it yet');
    composer.receive({ type: 'draft', draft, left: 0 });
    composer.receive({ type: 'draft', draft: { ...draft, text: 'late' }, left: 0 });
    assert.deepEqual(composer.draft.value, draft);
    assert.equal(composer.wantsFocus.value, false, 'a tab that comes back takes no focus');
    assert.deepEqual(composer.history.value, history);
    composer.send();
    assert.deepEqual(composer.draft.value, noDraft);
    assert.deepEqual(composer.history.value, [...history.slice(1), 'half a']);
  });

  it('puts the earlier draft before the text typed meanwhile, and says what is missing', () => {
    type('already');
    composer.receive({ type: 'draft', draft: { text: 'half a', attachments: [] }, left: 2 });
    assert.equal(composer.text.value, 'half a\n\nalready');
    assert.match(composer.problem.value ?? '', /^2 parts .* too large to keep/);
  });

  describe('keeping the draft', () => {
    let keeper: DraftKeeper;
    beforeEach(() => {
      mock.timers.enable({ apis: ['setTimeout'] });
      keeper = new DraftKeeper(composer, (message) => {
        posted.push(message);
      });
    });
    afterEach(() => mock.timers.reset());

    it('reports the draft to the host: at once when it is begun or was sent, otherwise after a pause, attachments once', () => {
      type('not yet known');
      mock.timers.tick(1_000);
      assert.deepEqual(posted, [], 'what the host keeps is not written over');
      composer.receive({ type: 'draft', draft: noDraft, left: 0 });
      composer.attach([file]);
      type('a');
      type('ab');
      mock.timers.tick(1_000);
      assert.deepEqual(posted, [
        { type: 'draft', draft: { text: 'not yet known', attachments: [] } },
        { type: 'draft', draft: { text: 'ab', attachments: [file] } },
      ]);
      type('abc');
      keeper.flush();
      mock.timers.tick(1_000);
      assert.deepEqual(posted.slice(2), [{ type: 'draft', draft: { text: 'abc' } }]);
      composer.send();
      assert.deepEqual(posted.slice(-1), [{ type: 'draft', draft: noDraft }]);
    });

    it('tells the host what was typed before its draft arrived', () => {
      type('already');
      const draft = { text: 'half a', attachments: [file] };
      composer.receive({ type: 'draft', draft, left: 0 });
      keeper.flush();
      const merged = { text: 'half a\n\nalready', attachments: [file] };
      assert.deepEqual(posted, [{ type: 'draft', draft: merged }]);
      mock.timers.tick(1_000);
      assert.equal(posted.length, 1);
    });

    it('tells the host nothing that it has just sent', () => {
      composer.receive({
        type: 'draft',
        draft: { text: 'half a', attachments: [file, image] },
        left: 0,
      });
      keeper.flush();
      assert.deepEqual(posted, []);
    });

    it('says that a draft is too large to be kept, and keeps it once it is smaller', () => {
      composer.receive({ type: 'draft', draft: noDraft, left: 0 });
      type('x'.repeat(1_000_001));
      mock.timers.tick(1_000);
      assert.deepEqual(posted, []);
      assert.match(composer.problem.value ?? '', /too large to be sent or saved/);
      type('x');
      mock.timers.tick(1_000);
      assert.equal(composer.problem.value, undefined);
      assert.deepEqual(posted, [{ type: 'draft', draft: { text: 'x' } }]);
    });
  });

  it('PR-5: puts a prompt that is taken back before the current draft', () => {
    type('and this');
    composer.attach([file]);
    composer.receive({ type: 'edit', draft: { text: 'First that', attachments: [image, file] } });
    assert.equal(composer.text.value, 'First that\n\nand this');
    assert.deepEqual(composer.attachments.value, [image, file]);
    assert.equal(composer.wantsFocus.value, true);
  });
});
