import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { name, publisher } from '../../../package.json';
import type { TestApi } from '../../../src/extension';
import type { SessionRecord } from '../../../src/features/review/model/record/sessionRecord';
import { changedLines, fileNames, linesBefore, textAfter, textBefore } from '../changedFiles';

/** Times in milliseconds, round by round. */
export interface UndoFigures {
  readonly undone: readonly number[];
  readonly edited: readonly number[];
}

const rounds = 5;

/**
 * The entry point in the extension host: undoes a session's changes of files that aren't open, and makes the same
 * changes in other such files with one edit that VS Code saves by itself. The environment has the file for the figures.
 */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<TestApi>(`${publisher}.${name}`);
  const resultsFile = process.env['ACP_SESSIONS_BENCH_RESULTS'];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!extension || !resultsFile || folder === undefined) {
    throw new Error('Not started by the benchmark');
  }
  const { storedReviews } = await extension.activate();
  const reviews = await storedReviews.get();
  const undone: number[] = [];
  const edited: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await changedFiles(path.join(folder, `edited${round}`));
    edited.push(await timed(() => editAll(plain)));
    await mustBeAsBefore(plain);
    const review = await reviews.open(folder, 'bench', `session${round}`);
    const files = await changedFiles(path.join(folder, `undone${round}`));
    await record(review.record, files);
    undone.push(await timed(() => review.undo({ type: 'all' })));
    await mustBeAsBefore(files);
  }
  const figures: UndoFigures = { undone, edited };
  await writeFile(resultsFile, JSON.stringify(figures));
}

async function changedFiles(folder: string): Promise<readonly string[]> {
  await mkdir(folder);
  for (const file of fileNames) {
    await writeFile(path.join(folder, file), textAfter(file));
  }
  return fileNames.map((file) => path.join(folder, file));
}

async function record(session: SessionRecord, files: readonly string[]): Promise<void> {
  const changes = [];
  for (const file of files) {
    const before = await session.contents.add(Buffer.from(textBefore(path.basename(file))));
    const after = await session.contents.add(Buffer.from(textAfter(path.basename(file))));
    changes.push({ file, before, after });
  }
  await session.addSteps({ by: 'agent', source: 'checkpoint', turn: 1 }, changes);
}

/** One edit of all files, as by a refactoring, which VS Code saves. */
async function editAll(files: readonly string[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const file of files) {
    const lines = linesBefore(path.basename(file));
    for (const line of changedLines) {
      const all = new vscode.Range(line, 0, line, 1000);
      edit.replace(vscode.Uri.file(file), all, lines[line] ?? '');
    }
  }
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function mustBeAsBefore(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if ((await readFile(file, 'utf8')) !== textBefore(path.basename(file))) {
      throw new Error(`${file} isn't as it was`);
    }
  }
}
