import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { handleIntent, type IntentTarget } from '../../../src/views/transcript/tabs/intents';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { ableInitialize, type Step, update } from '../../fakeAgent/scenario';
import { FakeReviews } from '../../support/fakeTurnReviews';
import { controllers, threads } from '../../support/vscode/comments';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { provideReviews } from './provideReviews';
import { useBench } from './useBench';

const replay = (said: string) => [{ updates: [update.user('Go'), update.agent(said)] }];
const lines = ['one', 'two', 'three', 'four'];

function bodyOf(thread: vscode.CommentThread | undefined): string | undefined {
  const body = thread?.comments[0]?.body;
  return typeof body === 'string' ? body : body?.value;
}

describe('comments on lines', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let file: string;
  useBench(async (made, given) => {
    [bench, dialogs] = [made, given];
    file = path.join(workspaceFolder(), 'commented.ts');
    await writeFile(file, lines.join('\n'));
  });
  afterEach(async () => {
    for (const thread of [...threads]) {
      await run('delete', thread);
    }
    await rm(file, { force: true });
  });

  const run = (act: string, argument?: unknown) =>
    vscode.commands.executeCommand(`acpSessions.comments.${act}`, argument);

  async function opened(
    steps: readonly Step[] = [],
    said = 'Done',
    others: Parameters<typeof bench.setAgents>[0] = {},
  ): Promise<TranscriptPanel> {
    await bench.setAgents({
      ...others,
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'The first'), listed('s2', 'The second')],
        replays: { s1: replay(said), s2: replay(said) },
        on: { 'session/prompt': [...steps, { result: { stopReason: 'end_turn' } }] },
        record: bench.file('log'),
      }),
    });
    return open('s1', 'The first');
  }

  async function open(id: string, title: string): Promise<TranscriptPanel> {
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session(title));
    const panel = await waitFor(() => bench.api.panels.find('fake', id), 'the tab');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the transcript');
    return panel;
  }

  /** Comments on lines, counted from 0. */
  async function commented(
    text: string,
    first = 1,
    last = 2,
  ): Promise<{ editor: vscode.TextEditor; thread: vscode.CommentThread }> {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    editor.selection = new vscode.Selection(first, 0, last, 1);
    await run('comment');
    const thread = threads.at(-1);
    assert.ok(thread);
    await run('save', { thread, text });
    return { editor, thread };
  }

  const prompts = async () =>
    (await bench.received('log')).filter(({ method }) => method === 'session/prompt');

  const replace = async (editor: vscode.TextEditor, text: readonly string[]): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.set(editor.document.uri, [
      new vscode.TextEdit(new vscode.Range(0, 0, 100, 0), text.join('\n')),
    ]);
    await vscode.workspace.applyEdit(edit);
  };

  it('wait in a thread that names the session, and go together in one prompt', async () => {
    await opened();
    const { thread } = await commented('Why is this here?');
    await commented('And this?', 3, 3);
    assert.match(String(thread.label), /^Not sent yet$/);
    assert.equal(thread.contextValue, 'unsent');
    assert.deepEqual(await prompts(), [], 'nothing is sent by itself');
    await run('send', thread);
    await waitFor(async () => (await prompts()).length === 1, 'the prompt');
    const sent = JSON.stringify(await prompts());
    assert.match(sent, /Please address these 2 comments/);
    assert.match(sent, /The lines as they are now:.*two\\+nthree/);
    assert.match(sent, /commented\.ts#L2-L3/);
    assert.match(sent, /And this\?/);
    await waitFor(() => thread.contextValue === 'sent', 'the mark');
    assert.match(String(thread.label), /Sent at /);
    await run('send');
    assert.equal((await prompts()).length, 1, 'nothing waits any more');
  });

  it('go with the key that sends them, also right after the one that saves', async () => {
    await opened();
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    editor.selection = new vscode.Selection(1, 0, 1, 1);
    await run('comment');
    const saved = run('save', { thread: threads.at(-1), text: 'Quick' });
    await run('send');
    await saved;
    await waitFor(async () => (await prompts()).length === 1, 'the prompt');
  });

  it('follow their text as it moves, and are sent as they are then', async () => {
    await opened();
    const { editor, thread } = await commented('Why?');
    await replace(editor, ['zero', 'more', ...lines]);
    await waitFor(() => thread.range?.start.line === 3, 'the place');
    assert.equal(thread.range?.end.line, 4);
    await replace(editor, ['one', 'four']);
    await waitFor(() => /no longer in the file/.test(String(thread.label)), 'the loss');
    await replace(editor, lines);
    await waitFor(() => thread.range?.start.line === 1, 'the return');
    assert.doesNotMatch(String(thread.label), /no longer/);
  });

  it('say when the turn that got them has changed their lines', async () => {
    const panel = await opened([{ waitForFile: bench.file('go') }]);
    const { editor, thread } = await commented('Upper case, please');
    const other = (await commented('Leave this', 3, 3)).thread;
    await run('send', thread);
    await waitFor(() => thread.contextValue === 'sent', 'the mark');
    await replace(editor, ['one', 'TWO', 'three', 'four']);
    await writeFile(bench.file('go'), '');
    await waitFor(() => panel.session.turns.current.kind === 'idle', 'the end');
    await waitFor(() => thread.contextValue === 'changed', 'the word');
    assert.match(String(thread.label), /The agent has changed these lines/);
    assert.equal(other.contextValue, 'sent');
    await run('resolve', thread);
    assert.equal(thread.state, vscode.CommentThreadState.Resolved);
    await run('reopen', thread);
    assert.equal(thread.contextValue, 'sent');
  });

  it('take a suggestion that replaces the lines, and can be edited, answered and deleted', async () => {
    await opened();
    const { thread } = await commented('First');
    await run('suggest', { thread, text: 'Better:' });
    const paragraph = thread.comments[1];
    assert.ok(paragraph);
    assert.equal(paragraph.mode, vscode.CommentMode.Editing);
    paragraph.body = 'Better:\n\n```suggestion\nTWO\n```';
    await run('saveEdit', paragraph);
    const said = bench.api.commenting.made?.then(
      ({ comments }) => comments.all[0]?.comments[0]?.said,
    );
    assert.deepEqual(await said, ['First', 'Better:\n\n```suggestion\nTWO\n```']);
    await run('edit', thread.comments[0]);
    await run('cancelEdit', thread.comments[0]);
    assert.equal(thread.comments[0]?.mode, vscode.CommentMode.Preview);
    await run('delete', thread);
    assert.equal(threads.length, 0);
  });

  it('take a suggestion while the first words are being written', async () => {
    await opened();
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await run('comment');
    const [thread] = threads;
    const paragraph = thread?.comments[0];
    assert.ok(paragraph);
    paragraph.body = 'Shorter';
    await run('suggest', paragraph);
    const edited = thread.comments[0];
    assert.equal(edited?.mode, vscode.CommentMode.Editing);
    assert.match(JSON.stringify(edited.body), /Shorter\\n\\n```suggestion\\none\\n```/);
    await run('saveEdit', edited);
    assert.equal(thread.contextValue, 'unsent');
    assert.equal(thread.canReply, false, 'it can be edited instead');
  });

  it('have VS Code draw nothing anew while one is being written, which would take the focus', async () => {
    await opened();
    const provider = () => controllers.at(-1)?.commentingRangeProvider;
    const { thread } = await commented('First');
    const offered = provider();
    await run('edit', thread.comments[0]);
    const other = path.join(workspaceFolder(), 'other.ts');
    await writeFile(other, 'one');
    await vscode.window.showTextDocument(vscode.Uri.file(other));
    await run('comment');
    assert.equal(provider(), offered);
    await run('cancelEdit', thread.comments[0]);
    assert.equal(provider(), offered, 'the other one is being written');
    await run('cancelEdit', threads.at(-1)?.comments[0]);
    assert.notEqual(provider(), offered);
    await rm(other);
  });

  it('are counted at the end of the last turn, and sent from there', async () => {
    const { session } = await opened();
    const { thread } = await commented('Why?');
    const { reviews } = bench.api;
    const count = () => reviews.comments?.count({ agentId: 'fake', sessionId: 's1' });
    assert.equal(count(), 1);
    const target = { session, services: { reviews }, reviews: {}, keep: () => undefined };
    const intent = { type: 'reviewTurn', turn: 1, act: 'sendComments' } as const;
    await handleIntent(target as unknown as IntentTarget, intent);
    await waitFor(() => thread.contextValue === 'sent', 'the mark');
    assert.equal(count(), 0);
  });

  it('go to another open session of the file if the user says so', async () => {
    await opened();
    const { thread } = await commented('Why?');
    await run('move', thread);
    assert.match(JSON.stringify(thread.comments[0]?.author), /The first/, 'there is no other one');
    await open('s2', 'The second');
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'The second');
    await run('move', thread);
    assert.match(JSON.stringify(thread.comments[0]?.author), /The second/);
    await run('send', thread);
    await waitFor(async () => (await prompts()).length === 1, 'the prompt');
    assert.match(JSON.stringify(await prompts()), /"sessionId":"s2"/);
    assert.equal(threads.length, 1);
  });

  it('lead to the turn that they were sent with', async () => {
    const panel = await opened();
    const { thread } = await commented('Why?');
    await run('send', thread);
    await waitFor(() => thread.contextValue === 'sent', 'the mark');
    await waitFor(() => panel.session.turns.current.kind === 'idle', 'the end');
    const reveal = mock.method(panel, 'reveal', () => undefined);
    await run('showTurn', thread);
    const [index] = reveal.mock.calls[0]?.arguments ?? [];
    const entry = panel.session.shown.entries[Number(index)];
    assert.match(JSON.stringify(entry), /Please address this comment/);
  });

  it('are offered where a change waits for review or was chosen, and on no other file', async () => {
    await opened();
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await run('comment');
    const [thread] = threads;
    assert.equal(thread?.contextValue, 'new');
    assert.equal(editor.document.uri.toString(), thread.uri.toString());
    await run('save', { thread, text: '  ' });
    assert.equal(thread.contextValue, 'new', 'nothing was said');
  });

  it('go nowhere without a session that has the file in its folders', async () => {
    await bench.setAgents({});
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await run('comment');
    assert.equal(threads.length, 0);
  });

  it('can be taken from what an agent says about lines, one by one', async () => {
    const said = 'Two things:\n\n- `commented.ts:2-3`: why?\n- `commented.ts:9`: and this?';
    await opened([], said);
    const lines = (mention: string) => run('take', { entry: 1, acpSessionsLines: mention });
    await lines('commented.ts:2-3');
    const [thread] = threads;
    assert.deepEqual([thread?.range?.start.line, thread?.range?.end.line], [1, 2]);
    assert.equal(bodyOf(thread), 'Fake: - `commented.ts:2-3`: why?');
    assert.equal(thread?.contextValue, 'unsent');
    await lines('commented.ts:9');
    assert.equal(threads.at(-1)?.range?.start.line, 3, 'the last line of the file as it is now');
    assert.deepEqual(await prompts(), []);
    for (const other of ['../outside.ts:1', '/etc/passwd:1', 'commented.ts', 'https://a.b/c:1']) {
      await lines(other);
    }
    await run('take', { entry: 0, acpSessionsLines: 'commented.ts:1' });
    await run('take', 'nothing');
    assert.equal(threads.length, 2);
  });

  it('go to the session whose change it is, also when another agent’s review is where they are taken from', async () => {
    const said = { updates: [update.user('Review this'), update.agent('See commented.ts:1.')] };
    await opened([], 'Done', {
      other: fakeEntry('Other', {
        sessions: [listed('s2', 'The review')],
        replays: { s2: [said] },
      }),
    });
    const reviews = new FakeReviews();
    reviews.add('fake', 's1').addTurn({ turn: 1, prompt: 'Go', files: [file] });
    const provided = await provideReviews(bench, reviews);
    try {
      await vscode.commands.executeCommand(
        'acpSessions.session.open',
        await bench.session('The review'),
      );
      const panel = await waitFor(() => bench.api.panels.find('other', 's2'), 'the other tab');
      await waitFor(() => panel.session.phase.kind === 'ready', 'its transcript');
      await run('take', { entry: 1, acpSessionsLines: 'commented.ts:1' });
      const paragraph = threads.at(-1)?.comments[0];
      assert.equal(paragraph?.author.name, 'You, for “The first”');
      assert.equal(bodyOf(threads.at(-1)), 'Other: See commented.ts:1.');
    } finally {
      provided.dispose();
    }
  });
});
