import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { debugState } from '../../src/features/editorTools/tools/debugState';
import { runTests } from '../../src/features/editorTools/tools/testRuns';
import type { OwnRun } from '../../src/model/requests/ownRun';
import type { ServedSession } from '../../src/model/session/ownServers';
import { servedSession } from '../support/servedSession';
import { replaceMember } from './harness/dialogs';
import { workspaceFolder } from './harness/support';

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
      run: (what, start) => {
        asked.push(what);
        return start();
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
