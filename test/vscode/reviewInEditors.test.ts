import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PendingFile } from '../../src/model/changes/reviews';
import { ExtensionBench, waitFor, workspaceFolder } from './harness/support';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\nTWO\nthree\nfour\nFIVE\n';

describe('reviewing changes in editors', () => {
  let bench: ExtensionBench;
  /** The folder, one for each test, as VS Code remembers the texts of files. */
  let place: string;
  const file = (name: string): string => path.join(place, name);
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    place = await mkdtemp(path.join(workspaceFolder(), 'reviewed-'));
  });
  afterEach(async () => {
    const reviews = await bench.api.storedReviews.get();
    for (const { agentId, sessionId } of reviews.all) {
      await reviews.forget(agentId, sessionId);
    }
    await bench.dispose();
    await rm(place, { recursive: true });
  });

  /** A session of whose turn it is recorded that it has changed these files, from `before` to this; `null`: no file. */
  async function changed(
    sessionId: string,
    texts: Readonly<Record<string, string | null>>,
  ): Promise<() => readonly PendingFile[]> {
    const reviews = await bench.api.storedReviews.get();
    const { record } = await reviews.open(place, 'claude', sessionId);
    await record.addTurn({ turn: 1, prompt: 'Do it', began: 1 });
    const old = await record.contents.add(Buffer.from(before));
    const changes = Object.entries(texts).map(async ([name, text]) => {
      if (text === null) {
        return { file: file(name), before: old, after: { kind: 'absent' } as const };
      }
      await writeFile(file(name), text);
      return {
        file: file(name),
        before: old,
        after: await record.contents.add(Buffer.from(text)),
      };
    });
    await record.addSteps({ by: 'agent', source: 'write', turn: 1 }, await Promise.all(changes));
    const pending = (): readonly PendingFile[] => reviews.of('claude', sessionId)?.pending ?? [];
    await waitFor(() => pending().length === changes.length, 'the changes to wait for review');
    return pending;
  }

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.review.${command}`, ...args);
  }

  it('keeps and undoes the change of the inline peek, as VS Code counts its lines', async () => {
    const pending = await changed('s', { 'a.txt': after });
    const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file('a.txt')));
    const changes = [
      { modifiedStartLineNumber: 2, modifiedEndLineNumber: 2 },
      { modifiedStartLineNumber: 5, modifiedEndLineNumber: 5 },
    ];
    await run('undoChange', document.uri, changes, 1);
    assert.equal(await readFile(file('a.txt'), 'utf8'), 'one\nTWO\nthree\nfour\nfive\n');
    await run('keepChange', document.uri, changes, 0);
    await waitFor(() => pending().length === 0, 'nothing to wait for review');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), after);
    await document.save();
  });

  it('goes over changes, files and sessions, in both directions', async () => {
    await changed('s', { 'a.txt': after, 'b.txt': after });
    await changed('t', { 'c.txt': after });
    const here = (): string => {
      const editor = vscode.window.activeTextEditor;
      return `${path.basename(editor?.document.uri.path ?? '')}:${(editor?.selection.active.line ?? -1) + 1}`;
    };
    const seen: string[] = [];
    const go = async (command: 'next' | 'previous', to: string): Promise<void> => {
      await run(command);
      await waitFor(() => here() === to, `${to} instead of ${here()}`);
      seen.push(to);
    };
    for (const to of [
      'a.txt:2',
      'a.txt:5',
      'b.txt:2',
      'b.txt:5',
      'c.txt:2',
      'c.txt:5',
      'a.txt:2',
    ]) {
      await go('next', to);
    }
    await go('previous', 'c.txt:5');
    await go('previous', 'c.txt:2');
    await go('previous', 'b.txt:5');
    assert.equal(seen.length, 10);
  });

  it('goes on from a deleted file', async () => {
    await changed('s', { 'a.txt': null, 'b.txt': after });
    const name = (): string =>
      path.basename(vscode.window.activeTextEditor?.document.uri.path ?? '');
    await run('next');
    await waitFor(() => name() === 'a.txt', 'the deleted file');
    await run('next');
    await waitFor(() => name() === 'b.txt', 'the next file');
  });
});
