import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckRun } from '../../../src/features/check/model/checkRuns';
import type { Session } from '../../../src/model/session/session';
import { ableInitialize } from '../../fakeAgent/scenario';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  update,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { WorktreeBench } from '../../vscode/harness/worktreeBench';

const edited = (toolCallId: string) => ({
  ...{ sessionUpdate: 'tool_call', toolCallId, title: 'Edit', kind: 'edit' },
  status: 'completed',
  content: [{ type: 'diff', path: '/a.txt', oldText: 'a', newText: 'b' }],
});

describe('Run Check', () => {
  let trees: WorktreeBench;
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let session: Session;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    ({ bench, dialogs } = trees);
    await bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        commands: {
          ...Object.fromEntries(
            ['one', 'two', 'three'].map((edit) => [
              edit,
              [{ update: edited(edit) }, { result: { stopReason: 'end_turn' } }],
            ]),
          ),
        },
      }),
    });
    session = await trees.created('checked');
    dialogs.asked.length = 0;
  });
  afterEach(async () => {
    await update('check.command', undefined);
    await update('check.afterTurn', undefined);
    await trees.dispose();
  });

  /** Runs it, or runs it again. */
  const check = (): Thenable<unknown> => {
    const { answer } = dialogs;
    dialogs.answer = (asked) =>
      asked.kind === 'pick'
        ? asked.choices.find((choice) => choice.includes('Run Again'))
        : answer(asked);
    return trees.run('check.run', ref());
  };
  const ref = () => ({ agentId: 'fake', sessionId: session.info.sessionId });
  const known = () => bench.api.checks.of('fake', session.info.sessionId) as CheckRun | undefined;
  const ended = (state: string) => waitFor(() => known()?.state === state, state);
  const row = () =>
    bench.nodes().find((node) => node.kind === 'session' && node.row.info.cwd === session.info.cwd);
  // The state of the branch comes when Git has told it.
  const facts = () =>
    bench.api.headerFacts
      .of(session)
      .filter(({ opens }) => opens === 'check')
      .map(({ text }) => text);
  const asks = () => dialogs.asked.filter(({ choices }) => choices.includes('Run'));

  it('SEC-310: shows the command before it runs first, and again when it has changed', async () => {
    await update('check.command', 'echo checked > done.txt');
    const before = known()?.began;
    dialogs.answer = () => undefined;
    await check();
    assert.equal(known()?.began, before, 'nothing runs that the user hasn’t agreed to');
    assert.match(asks()[0]?.detail ?? '', /^echo checked > done\.txt\n/);
    dialogs.answer = () => 'Run';
    await check();
    await ended('passed');
    assert.ok(existsSync(path.join(session.info.cwd, 'done.txt')), 'in the worktree');
    assert.ok(!existsSync(path.join(workspaceFolder(), 'done.txt')));
    await check();
    await ended('passed');
    assert.equal(asks().length, 2, 'once agreed, not asked again');
    await update('check.command', 'exit 4');
    dialogs.answer = () => undefined;
    await check();
    assert.match(asks()[2]?.detail ?? '', /^exit 4\n/);
    assert.equal(known()?.state, 'passed');
  });

  it('SEC-310: the settings of a worktree name no command', async () => {
    await mkdir(path.join(session.info.cwd, '.vscode'), { recursive: true });
    const settings = { 'acpSessions.check.command': 'touch evil' };
    await writeFile(
      path.join(session.info.cwd, '.vscode', 'settings.json'),
      JSON.stringify(settings),
    );
    const before = known()?.began;
    dialogs.answer = () => 'Run';
    await check();
    assert.match(dialogs.texts('information').at(-1) ?? '', /^No check is set/);
    assert.equal(known()?.began, before);
  });

  it('row and header say how it went; the failed output goes into the composer, unsent', async () => {
    await update('check.command', 'echo "1 test fails"; exit 1');
    dialogs.answer = () => 'Run';
    await check();
    await ended('failed');
    assert.deepEqual(facts(), ['Check failed']);
    const found = row();
    assert.ok(found);
    const item = bench.api.view.getTreeItem(found);
    assert.match(String(item.description), /✗ check/);
    assert.match(item.accessibilityInformation?.label ?? '', /Check failed/);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice.includes('Ask Agent to Fix'));
    const sent = session.turns.promptedAt;
    await trees.run('check.run', found);
    assert.deepEqual(dialogs.asked.at(-1)?.choices, [
      '$(terminal) Show Output',
      '$(sparkle) Ask Agent to Fix…',
      '$(play) Run Again',
    ]);
    await waitFor(() => bench.api.panels.active?.session === session, 'the tab of the session');
    assert.equal(session.turns.promptedAt, sent, 'nothing is sent');
    dialogs.answer = ({ choices }) => choices.find((choice) => choice.includes('Show Output'));
    const opened: string[] = [];
    const restore = replaceMember(vscode.window, 'createTerminal', (options: unknown) => {
      opened.push((options as vscode.TerminalOptions).name ?? '');
      return { show: () => undefined, dispose: () => undefined };
    });
    bench.api.headerFacts.open(session, 'anything else');
    await bench.api.headerFacts.open(session, 'check');
    restore();
    assert.deepEqual(opened, ['Check: echo "1 test fails"; exit 1']);
  });

  it('runs after a turn in which the agent may have changed files, once the command was seen', async () => {
    await update('check.command', 'echo turn >> turns.txt');
    await update('check.afterTurn', true);
    const before = known()?.began;
    const turn = async (text: string): Promise<void> => {
      session.turns.submit({ text, attachments: [] });
      await waitFor(() => session.transcript.entries.at(-1)?.kind !== 'user', 'the turn');
      await waitFor(() => session.turns.current.kind === 'idle', 'its end');
    };
    const said = () => dialogs.texts('information').filter((text) => /after turns/.test(text));
    dialogs.answer = () => undefined;
    await turn('one');
    await waitFor(() => said().length === 1, 'the message');
    assert.equal(known()?.began, before, 'nothing runs that nobody has seen');
    assert.deepEqual(asks(), [], 'and nothing takes the focus');
    dialogs.answer = () => 'Run';
    await check();
    await ended('passed');
    const first = known()?.began;
    await turn('two');
    await waitFor(
      () => known()?.began !== first && known()?.state === 'passed',
      'the check of the turn',
    );
    assert.equal(known()?.isStale, false);
    assert.equal(await readFile(path.join(session.info.cwd, 'turns.txt'), 'utf8'), 'turn\nturn\n');
    await update('check.afterTurn', false);
    await turn('three');
    await waitFor(() => known()?.isStale === true, 'the old result');
    assert.deepEqual(facts(), ['Check passed before later changes']);
    assert.equal(said().length, 1);
  });
});
