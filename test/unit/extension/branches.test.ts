import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Entry } from '../../../src/shared/transcript/entries';
import type { Disposable } from '../../../src/util/disposable';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { ableInitialize, type Json, update as made, type Scenario } from '../../fakeAgent/scenario';
import { FakeReviews } from '../../support/fakeTurnReviews';
import { Dialogs } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import { decideInPreview } from '../../vscode/harness/previews';
import { ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { provideReviews } from './provideReviews';

const replayed: readonly Json[] = [
  made.user('One', 'u1'),
  made.agent('Said.', 'a1'),
  made.user('Two', 'u2'),
  made.agent('Said again.', 'a2'),
  made.user('Three', 'u3'),
  made.agent('Said thrice.', 'a3'),
];

describe('going back in a conversation', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let provided: Disposable | undefined;

  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
  });
  afterEach(async () => {
    provided?.dispose();
    provided = undefined;
    dialogs.dispose();
    await bench.dispose();
  });

  async function opened(scenario: Scenario): Promise<TranscriptPanel> {
    await bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'The first')],
        replays: { s1: [{ updates: replayed }], '*': [] },
        record: bench.file('log'),
        ...scenario,
      }),
    });
    const node = await bench.session('The first');
    await vscode.commands.executeCommand('acpSessions.session.open', node);
    const panel = await waitFor(() => bench.api.panels.find('fake', 's1'), 'the tab');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the transcript');
    return panel;
  }

  function run(command: string, argument: unknown): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.session.${command}`, argument);
  }

  const prompt = (entry: number) => ({ agentId: 'fake', sessionId: 's1', entry });

  function forked(id: string): Promise<TranscriptPanel> {
    return waitFor(() => bench.api.panels.find('fake', id), 'the fork’s tab');
  }

  function heldBy(id: string) {
    return bench.api.marks.get('fake', id).origin?.held;
  }

  async function sent(method: string): Promise<readonly Json[]> {
    const messages = await bench.received('log');
    return messages.flatMap((message) =>
      message.method === method && 'params' in message ? [message.params as Json] : [],
    );
  }

  for (const forks of ['message', 'turn'] as const) {
    it(`forks before a prompt, beside, with its text to be edited (an agent that ends forks at the ${forks})`, async () => {
      const panel = await opened({ forks });
      await run('fork', prompt(4));
      const fork = await forked('new-1');
      assert.notEqual(fork.panel.viewColumn, panel.panel.viewColumn);
      await waitFor(() => heldBy('new-1') === 'before', 'what it holds');
      assert.equal(fork.session.shown.entries.length, 4);
      assert.equal(bench.api.work.getDraft('fake', 'new-1').draft.text, 'Three');
      await waitFor(() => fork.session.title === 'The first · from turn 3', 'its title');
      assert.deepEqual(dialogs.asked, [], 'nothing had to be asked');
      assert.deepEqual(await sent('session/prompt'), []);
      await run('openOrigin', { agentId: 'fake', sessionId: 'new-1' });
      await waitFor(() => panel.panel.active, 'the origin');
      await run('openFork', { agentId: 'fake', sessionId: 'new-1' });
      await waitFor(() => fork.panel.active, 'the fork');
    });
  }

  describe('T-90: an image that the provider refuses', () => {
    const endsTurn = ({ kind }: Entry): boolean => kind === 'turn';
    const image = { type: 'image', name: 'a.png', mimeType: 'image/png', data: 'AAAA' } as const;

    async function leaveBehind(scenario: Scenario): Promise<void> {
      await opened({ refusesImages: true, ...scenario });
      const session = bench.api.sessions.find('fake', 's1');
      assert.ok(session);
      const { turns, transcript } = session;
      for (const draft of [
        { text: 'Look', attachments: [image] },
        { text: 'Forget it', attachments: [] },
      ]) {
        const { length } = transcript.entries;
        turns.submit(draft);
        await waitFor(() => transcript.entries.slice(length).some(endsTurn), 'the end of the turn');
      }
      const end = transcript.entries.at(-1);
      assert.ok(end?.kind === 'turn' && end.outcome.type === 'failed');
      assert.equal(end.outcome.failure.code, 'imageRefused');
      const last = transcript.entries.length - 1;
      await run('editAndResend', { ...prompt(last), withoutImage: true });
    }

    for (const forks of ['message', 'turn'] as const) {
      it(`is left behind by a fork before it (at the ${forks}), with the prompt without it`, async () => {
        await leaveBehind({ forks });
        const fork = await forked('new-1');
        await waitFor(() => heldBy('new-1') === 'before', 'what it holds');
        assert.equal(fork.session.shown.entries.length, 6);
        assert.deepEqual(bench.api.work.getDraft('fake', 'new-1').draft, {
          ...{ text: 'Look', attachments: [] },
        });
        assert.deepEqual(dialogs.asked, []);
      });
    }

    it('is left behind by a new session with the conversation, where the agent can’t fork there', async () => {
      const sessionCapabilities = { list: {}, close: {} };
      const promptCapabilities = { image: true, embeddedContext: true };
      await leaveBehind({
        initialize: {
          agentCapabilities: { loadSession: true, promptCapabilities, sessionCapabilities },
        },
      });
      await forked('new-1');
      const { draft } = bench.api.work.getDraft('fake', 'new-1');
      assert.deepEqual([draft.text, draft.attachments.map(({ type }) => type)], ['Look', ['text']]);
      assert.deepEqual(dialogs.asked, []);
    });
  });

  it('compares a branch with its origin, and shows both together in the view', async () => {
    await opened({ forks: 'message' });
    await run('fork', prompt(2));
    await forked('new-1');
    await waitFor(() => heldBy('new-1') === 'before', 'what it holds');
    const titles = (): string[] =>
      bench.nodes().flatMap((node) => (node.kind === 'session' ? [node.row.title] : []));
    await waitFor(() => titles().join() === 'The first,The first · from turn 2', 'the rows');
    const branch = await bench.session('The first · from turn 2');
    assert.match(String(bench.api.view.getTreeItem(branch).description), /^↳ from turn 2/);
    dialogs.answer = ({ kind, choices }) =>
      kind === 'pick' ? choices.find((choice) => choice.includes('Its Origin')) : undefined;
    await run('compare', branch);
    const tab = await waitFor(() => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.input instanceof vscode.TabInputTextDiff ? activeTab : undefined;
    }, 'the comparison');
    assert.match(tab.label, /^The first.* ↔ The first · from turn 2/);
  });

  it('sends the prompt again at once, or lets it be edited, in the same place', async () => {
    const panel = await opened({ forks: 'message' });
    await run('retryTurn', prompt(2));
    const retried = await forked('new-1');
    await waitFor(async () => (await sent('session/prompt')).length === 1, 'the prompt');
    const [again] = await sent('session/prompt');
    assert.deepEqual(again, { sessionId: 'new-1', prompt: [{ type: 'text', text: 'Two' }] });
    assert.equal(retried.panel.viewColumn, panel.panel.viewColumn);
    assert.equal(bench.api.work.getDraft('fake', 'new-1').draft.text, '');
    await run('editAndResend', prompt(2));
    await forked('new-2');
    assert.equal(bench.api.work.getDraft('fake', 'new-2').draft.text, 'Two');
    assert.equal((await sent('session/prompt')).length, 1);
  });

  it('SEC-36: sends no file again that the session may not have, before the user agrees', async () => {
    const secret = 'Read [@secret.txt](file:///elsewhere/secret.txt)';
    const updates = [...replayed.slice(0, 2), made.user(secret, 'u2'), ...replayed.slice(3)];
    await opened({ forks: 'message', replays: { s1: [{ updates }], '*': [] } });
    await run('retryTurn', prompt(2));
    await forked('new-1');
    assert.match(dialogs.texts('warning').join(), /outside of this session’s folders/);
    assert.deepEqual(await sent('session/prompt'), []);
    const { draft } = bench.api.work.getDraft('fake', 'new-1');
    assert.equal(draft.text, 'Read');
    assert.deepEqual(
      draft.attachments.map(({ name }) => name),
      ['secret.txt'],
    );
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Add');
    await run('retryTurn', prompt(2));
    await waitFor(async () => (await sent('session/prompt')).length === 1, 'the prompt');
  });

  it('begins anew before the first prompt, and says when the whole was forked', async () => {
    await opened({ forks: 'whole' });
    await run('fork', prompt(0));
    const first = await forked('new-1');
    assert.deepEqual(await sent('session/fork'), []);
    assert.equal(first.session.shown.entries.length, 0);
    await run('fork', prompt(2));
    await forked('new-2');
    await waitFor(() => heldBy('new-2') === 'whole', 'what it holds');
  });

  it('asks before it forks the whole, because the agent doesn’t know the message', async () => {
    const error = { code: -32602, message: 'Fork point message a1 was not found in session s1' };
    await opened({
      on: { 'session/fork': [[{ error }], [{ error }], [{ result: { sessionId: 'f' } }]] },
    });
    await run('fork', prompt(2));
    assert.deepEqual(dialogs.asked.at(-1)?.choices, ['Fork with the Whole History']);
    assert.equal((await sent('session/fork')).length, 1);
    dialogs.answer = ({ choices }) => choices[0];
    await run('fork', prompt(2));
    await forked('f');
    const [, , last] = await sent('session/fork');
    assert.ok(typeof last === 'object' && last !== null && !('_meta' in last));
  });

  it('asks before it attaches the conversation as a text, because the agent can’t fork', async () => {
    const capabilities = { loadSession: true, sessionCapabilities: { list: {}, close: {} } };
    await opened({ initialize: { agentCapabilities: capabilities } });
    await run('fork', prompt(2));
    assert.deepEqual(dialogs.asked.at(-1)?.choices, [
      'New Session with the Conversation as a Text',
    ]);
    assert.deepEqual(await sent('session/new'), []);
    dialogs.answer = ({ choices }) => choices[0];
    await run('fork', prompt(2));
    await forked('new-1');
    const { draft } = bench.api.work.getDraft('fake', 'new-1');
    assert.equal(draft.text, 'Two');
    const [attached] = draft.attachments;
    assert.ok(attached?.type === 'text');
    assert.match(attached.text, /One[^]*Said\./);
    assert.ok(!attached.text.includes('Said again'), 'only what comes before');
    assert.equal(heldBy('new-1'), 'text');
  });

  it('offers to restore the files, too, and with restoring them to go back', async () => {
    const reviews = new FakeReviews();
    const review = reviews.add('fake', 's1');
    provided = await provideReviews(bench, reviews);
    const panel = await opened({ forks: 'message' });
    review.addTurn({ turn: 1, prompt: 'Two', files: ['/a.txt'] });
    review.plan = {
      files: [{ file: '/a.txt', kind: 'modified', text: 'before\n', isMerged: false }],
      leftAlone: [],
    };
    await waitFor(() => panel.recordBefore(2) !== undefined, 'the record');
    dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice.endsWith('Restore the Files…'));
    const both = run('fork', prompt(2));
    const { choices } = await decideInPreview('restore');
    await both;
    await forked('new-1');
    assert.deepEqual(review.asked, ['plan 1', 'plan 1', 'restore 1']);
    assert.deepEqual(
      dialogs.asked.filter(({ kind }) => kind === 'pick').map((asked) => asked.choices),
      [['Fork from Here', 'Fork from Here, and Restore the Files…']],
    );
    assert.deepEqual(choices, ['restore'], 'what was chosen already isn’t asked again');
    const back = panel.restoreBefore(2);
    const offered = await decideInPreview('restoreAndGoBack');
    assert.deepEqual(offered.choices, ['restore', 'restoreAndGoBack']);
    await back;
    await forked('new-2');
    assert.equal(review.asked.filter((asked) => asked === 'restore 1').length, 2);
    const alone = panel.restoreBefore(2);
    await decideInPreview('restore');
    await alone;
    assert.equal((await sent('session/fork')).length, 2, 'never implied');
    dialogs.answer = () => undefined;
    await run('fork', prompt(2));
    assert.equal((await sent('session/fork')).length, 2, 'nothing without an answer');
  });

  it('forks from the turn that is picked in the transcript, or the whole session', async () => {
    await opened({ forks: 'message' });
    const pickers = new Pickers();
    const forkOf = async (label: string): Promise<void> => {
      const command = run('fork', undefined);
      const { items } = await pickers.shown();
      const item = items.find((each) => each.label === label);
      assert.ok(item);
      await pickers.moveTo(item);
      await pickers.accept(command);
    };
    await forkOf('Whole Session');
    const whole = await forked('new-1');
    const [fork] = await sent('session/fork');
    assert.ok(typeof fork === 'object' && fork !== null && !('_meta' in fork), 'at no message');
    bench.api.panels.find('fake', 's1')?.panel.reveal();
    await waitFor(() => bench.api.panels.active?.session !== whole.session, 'the origin');
    await forkOf('2');
    await forked('new-2');
    assert.equal(bench.api.work.getDraft('fake', 'new-2').draft.text, 'Two');
    pickers.dispose();
  });

  it('does nothing for what is no prompt, no session, or made up', async () => {
    await opened({ forks: 'message' });
    await run('fork', { agentId: 'fake', sessionId: 'nobody', entry: 2 });
    await run('openFork', { agentId: 'fake', sessionId: 'nobody' });
    await run('openOrigin', { agentId: 'fake', sessionId: 's1' });
    await run('fork', prompt(99_999));
    assert.ok((await sent('session/fork')).length <= 1);
    assert.equal(
      dialogs.texts('information').some((text) => text.includes('isn’t known here any more')),
      true,
    );
  });
});
