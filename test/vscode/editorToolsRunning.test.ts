import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolRefusal } from '../../src/features/editorTools/model/tool';
import { debugState } from '../../src/features/editorTools/tools/debugState';
import { runTask } from '../../src/features/editorTools/tools/runTask';
import { TaskRuns } from '../../src/features/editorTools/tools/taskRuns';
import { runTests } from '../../src/features/editorTools/tools/testRuns';
import type { OwnRun } from '../../src/model/requests/ownRun';
import type { ServedSession } from '../../src/model/session/ownServers';
import { ChildTerminals } from '../../src/platform/terminals/terminals';
import { refusal } from '../../src/protocol/refusal';
import { ableInitialize, type Step, update as said } from '../fakeAgent/scenario';
import { servedSession } from '../support/servedSession';
import { replaceMember } from './harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  update,
  waitFor,
  waitingPermission,
  workspaceFolder,
} from './harness/support';

const never = new AbortController().signal;

describe('tools of the editor that run something', () => {
  const asked: OwnRun[] = [];
  let session: ServedSession;
  const restore: (() => void)[] = [];

  beforeEach(() => {
    asked.length = 0;
    session = servedSession({
      cwd: workspaceFolder(),
      has: (name) => Promise.resolve(name.startsWith(workspaceFolder())),
      readable: (names) =>
        Promise.resolve(new Set([...names].filter((name) => name.startsWith(workspaceFolder())))),
      run: (what, start, signal) => {
        asked.push(what);
        return start(signal);
      },
    });
  });
  afterEach(() => {
    for (const one of restore.splice(0)) {
      one();
    }
  });

  it('tests run by the command of the Testing view, after a question', async () => {
    const ran: unknown[] = [];
    restore.push(
      replaceMember(vscode.commands, 'executeCommand', (command: string, uri?: vscode.Uri) => {
        // The extension's own, such as of contexts, may come between.
        if (command.startsWith('testing.')) {
          ran.push([command, uri?.fsPath]);
        }
        return Promise.resolve();
      }),
    );
    const folder = path.join(workspaceFolder(), 'tested');
    await mkdir(folder, { recursive: true });
    restore.push(() => void rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'a.test.ts');
    await writeFile(file, '');
    assert.match(await runTests.run({ path: file }, session, never), /can’t read them/);
    await runTests.run({}, session, never);
    assert.deepEqual(ran, [
      ['testing.run.uri', file],
      ['testing.runAll', undefined],
    ]);
    assert.deepEqual(
      asked.map(({ title }) => title),
      ['Tests of tested/a.test.ts', 'All tests'],
    );
    const other = { ...session, has: () => Promise.resolve(false) };
    await assert.rejects(runTests.run({}, other, never), /other folders/);
  });

  it('SEC-224: the debugger’s state is told of a stopped program of the session, and bounded', async () => {
    await assert.rejects(debugState.run({}, session, never), /No program/);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    const frame = (at: number): object => ({
      ...{ id: at, name: `f${at}`, line: at },
      source: { path: at === 0 ? path.join(workspaceFolder(), 'a.ts') : '/usr/lib/node.js' },
    });
    const variable = (at: number): object => ({ name: `v${at}`, value: 'x'.repeat(400) });
    const answers: Record<string, object> = {
      threads: { threads: [{ id: 1 }] },
      stackTrace: { stackFrames: Array.from({ length: 100 }, (_, at) => frame(at)) },
      scopes: { scopes: [{ name: 'Local' }, { name: 'Global', expensive: true }] },
      variables: { variables: Array.from({ length: 400 }, (_, at) => variable(at)) },
    };
    const debugged = {
      ...{ id: 'd', name: 'Launch', workspaceFolder: workspace },
      customRequest: (command: string) => Promise.resolve(answers[command]),
    };
    Object.defineProperty(vscode.debug, 'activeDebugSession', {
      get: () => debugged,
      configurable: true,
    });
    const said = await debugState.run({}, session, never);
    assert.match(said, /Stack:\n {2}f0 \(a\.ts:0\)\n {2}f1 \(elsewhere\)/);
    assert.equal(said.match(/^ {2}f\d/gm)?.length, 50);
    assert.equal(said.match(/^ {2}v\d/gm)?.length, 200);
    assert.ok(!said.includes('x'.repeat(201)) && !said.includes('Global'));
    answers['stackTrace'] = {};
    await assert.rejects(debugState.run({}, session, never), /The program runs/);
    const other = { ...session, has: () => Promise.resolve(false) };
    await assert.rejects(debugState.run({}, other, never), /No program/);
  });
});

describe('the tool that runs tasks', () => {
  const folder = (): string => path.join(workspaceFolder(), 'tasked');
  const asked: OwnRun[] = [];
  const ran: string[] = [];
  const terminals = new ChildTerminals({ workspace: { trusted: true } });
  const runs = new TaskRuns(terminals, { limitMs: 600_000, quietMs: 1, mostMs: 600_000 });
  const tool = runTask(runs);
  const started = vscode.tasks.onDidStartTask(({ execution }) => ran.push(execution.task.name));
  let meanwhile: () => unknown = () => undefined;
  let stop = new AbortController();
  const session = (): ServedSession =>
    servedSession({
      cwd: folder(),
      has: (name) => Promise.resolve(name.startsWith(folder())),
      run: async (what, start, signal) => {
        asked.push(what);
        await meanwhile();
        return start(AbortSignal.any([signal, stop.signal]));
      },
    });
  let served: ServedSession;
  const define = (...tasks: object[]): Promise<void> =>
    writeFile(
      path.join(folder(), '.vscode', 'tasks.json'),
      `// Tasks\n${JSON.stringify({ version: '2.0.0', tasks })}`,
    );
  const prepare = { label: 'prepare', type: 'shell', command: 'echo prepared' };
  const check = { ...{ label: 'check', type: 'shell', command: 'echo checked && exit 3' } };
  const serve = { label: 'serve', type: 'shell', command: 'echo ready && sleep 1000' };

  beforeEach(async () => {
    asked.length = 0;
    ran.length = 0;
    meanwhile = () => undefined;
    stop = new AbortController();
    served = session();
    await mkdir(path.join(folder(), '.vscode'), { recursive: true });
  });
  after(async () => {
    started.dispose();
    runs.dispose();
    await rm(folder(), { recursive: true, force: true });
  });

  it('runs them as tasks of VS Code once the user has seen them, and tells exit code and output', async () => {
    await define(prepare, { ...check, dependsOn: 'prepare' });
    assert.equal(await tool.run({}, served, never), '2 tasks:\n  prepare\n  check');
    assert.match(
      await tool.run({ task: 'x' }, served, never),
      /^No tasks\.json defines a task "x"/,
    );
    assert.equal(asked.length, 0);
    const said = await tool.run({ task: 'check' }, served, never);
    assert.match(said, /^Task "check" .* ended with exit code 3\.\nOutput:\nchecked\n/);
    assert.match(said, /\nTask "prepare" .* ended with exit code 0\.\nOutput:\nprepared$/);
    await waitFor(() => ran.length === 2, 'both to be shown as tasks');
    assert.deepEqual(
      [ran, asked[0]?.title, asked[0]?.before],
      [['prepare', 'check'], 'Task “check”', ['echo prepared', 'echo checked && exit 3']],
    );
  });

  it('SEC-281, SEC-284: runs nothing without a yes, or what is another task by then, or outside the folders', async () => {
    await define(prepare, { ...check, options: { cwd: '..' } });
    meanwhile = () => Promise.reject(refusal('refusedByUser', 'Not allowed'));
    await assert.rejects(tool.run({ task: 'prepare' }, served, never), ToolRefusal);
    meanwhile = () => define({ ...prepare, command: 'echo other' });
    await assert.rejects(tool.run({ task: 'prepare' }, served, never), /changed after/);
    await define({ ...check, options: { cwd: '..' } });
    await assert.rejects(tool.run({ task: 'check' }, served, never), /outside this session/);
    await define({ ...prepare, options: { env: { NODE_OPTIONS: '-r ./x' } } });
    await assert.rejects(tool.run({ task: 'prepare' }, served, never), /NODE_OPTIONS/);
    await writeFile(path.join(folder(), '.vscode', 'tasks.json'), ' '.repeat(2_000_000));
    await assert.rejects(tool.run({}, served, never), /longer than/);
    assert.deepEqual([asked.length, ran], [2, []]);
  });

  it('SEC-280: ends what runs with the turn, and leaves what is to go on to the user', async () => {
    await define(serve, { ...serve, label: 'watch', isBackground: true });
    meanwhile = () => stop.abort();
    await assert.rejects(tool.run({ task: 'serve' }, served, never), /stopped/);
    meanwhile = () => undefined;
    stop = new AbortController();
    const ending = tool.run({ task: 'serve' }, served, never);
    await waitFor(() => runs.isRunning, 'the command');
    stop.abort();
    assert.match(await ending, /was ended by SIG/);
    stop = new AbortController();
    assert.match(await tool.run({ task: 'watch' }, served, never), /goes on.*\nOutput:\nready$/);
    stop.abort();
    const times = asked.length;
    assert.match(await tool.run({ task: 'watch' }, served, never), /goes on running/);
    assert.equal(asked.length, times);
    for (const execution of vscode.tasks.taskExecutions) {
      execution.terminate();
    }
    await waitFor(() => !runs.isRunning, 'the end of the task');
  });

  it('an agent runs one after the user’s yes, and gets what it said', async () => {
    const bench = await ExtensionBench.create();
    try {
      await update('editorTools', 'all');
      await define(check);
      const turn: readonly Step[] = [
        { callTool: 'run_task', arguments: { task: 'check' } },
        { update: said.agent('$answerText') },
        { result: { stopReason: 'end_turn' } },
      ];
      await bench.setAgents({
        mine: fakeEntry('Mine', { initialize: ableInitialize, on: { 'session/prompt': turn } }),
      });
      const agent = bench.api.agents.get('mine');
      assert.ok(agent);
      const opened = await bench.api.sessions.create(agent, { name: 'w', path: folder() });
      opened.turns.submit({ text: 'Check it', attachments: [] });
      const { requestId, toolCall } = await waitFor(
        () => waitingPermission(opened),
        'the question',
      );
      assert.deepEqual([toolCall.title, ran], ['Task “check”', []]);
      assert.match(JSON.stringify(toolCall), /echo checked && exit 3/);
      opened.requests.answerPermission(requestId, 'allow_once');
      await waitFor(() => opened.turns.current.kind === 'idle', 'the end of the turn');
      assert.match(
        JSON.stringify(opened.transcript.entries),
        /ended with exit code 3\.[^"]*Output:[^"]*checked/,
      );
      await opened.close();
    } finally {
      for (const terminal of vscode.window.terminals) {
        terminal.dispose();
      }
      await waitFor(() => vscode.window.terminals.length === 0, 'no terminal');
      await update('editorTools', undefined);
      await bench.dispose();
    }
  });
});
