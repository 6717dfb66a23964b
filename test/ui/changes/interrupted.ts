import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { name as extensionName, publisher } from '../../../package.json';
import { FolderOfBlobs } from '../../../src/features/review/model/checkpoints/folderOfBlobs';
import { absent } from '../../../src/features/review/model/record/fileState';
import { SessionRecord } from '../../../src/features/review/model/record/sessionRecord';
import { recordFolder } from '../../../src/features/review/model/recordFolders';
import { DiskFiles } from '../../support/diskFiles';
import type { Host } from '../harness/host';
import { screenshot } from '../harness/screenshot';
import { runCommand } from '../harness/window';
import type { Workbench } from '../harness/workbench';

const count = 200;

/** The text of a file before the turn and after it; every tenth was added, and every eleventh deleted. */
const before = (at: number): string | undefined =>
  at % 10 === 0 ? undefined : `first\nbefore ${at}\n`.repeat(1 + (at % 7));
const after = (at: number): string | undefined =>
  at % 10 !== 0 && at % 11 === 0 ? undefined : `first\nafter ${at}\n`.repeat(1 + (at % 7));

/** A session whose agent has changed all files. */
export interface Recorded {
  /** The folder of its record. */
  readonly record: string;
  readonly fileAt: (at: number) => string;
}

const everyFile = Array.from({ length: count }, (_, at) => at);

function textOf({ fileAt }: Recorded, at: number): string | undefined {
  return existsSync(fileAt(at)) ? readFileSync(fileAt(at), 'utf8') : undefined;
}

function journalOf({ record }: Recorded): string {
  return readFileSync(path.join(record, 'journal.ndjson'), 'utf8');
}

/** The processes that have recorded an intention, the last one last. */
function intentsOf(session: Recorded): readonly number[] {
  const found = journalOf(session).matchAll(/"type":"intent".*?"pid":(\d+)/g);
  return Array.from(found, ([, pid]) => Number(pid));
}

function endsOf(session: Recorded): number {
  return journalOf(session).split('"type":"done"').length - 1;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, what);
    await pause(5);
  }
}

/** Writes a session's record, which the extension reads when it starts, and the files as the agent left them. */
export async function recordChanges({ workspace, dataFolder }: Host): Promise<Recorded> {
  const sessionId = 'recorded';
  const folder = path.join(workspace, 'changed files');
  const fileAt = (at: number): string => path.join(folder, `file ${at}.txt`);
  const storage = path.join(dataFolder, 'User', 'globalStorage');
  const reviews = path.join(storage, `${publisher}.${extensionName}`, 'review');
  const session = recordFolder(reviews, realpathSync(workspace), ['demo', sessionId]);
  const blobs = new FolderOfBlobs(path.join(session, 'blobs'));
  const made = new SessionRecord({
    ...{ folder: session, agentId: 'demo', sessionId, blobs },
    files: new DiskFiles(),
  });
  const state = async (text: string | undefined) =>
    text === undefined ? absent : made.contents.add(Buffer.from(text));
  const changes = [];
  mkdirSync(folder);
  for (const at of everyFile) {
    const states = { before: await state(before(at)), after: await state(after(at)) };
    changes.push({ file: fileAt(at), ...states });
    const text = after(at);
    if (text !== undefined) writeFileSync(fileAt(at), text);
  }
  await made.addTurn({ turn: 1, prompt: 'Change them', began: Date.now(), isOver: true });
  await made.addSteps({ by: 'agent', source: 'checkpoint', turn: 1 }, changes);
  made.dispose();
  return { record: session, fileAt };
}

/** Undo All that a crash interrupts, of what was recorded before the window opened. */
export function describeInterrupted(ui: Readonly<Workbench>, recorded: () => Recorded): void {
  /** Ends the extension host when some of the files are undone; VS Code starts it again. */
  async function crashIn(session: Recorded): Promise<void> {
    const { page } = ui;
    const earlier = intentsOf(session).length;
    await runCommand(page, 'ACP Sessions: Undo All Changes');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: /Undo All/ }).click();
    await until('the intention is recorded', () => intentsOf(session).length > earlier);
    const isUndone = (at: number) => textOf(session, at) === before(at);
    await until('some files are undone', () => everyFile.some(isUndone));
    process.kill(intentsOf(session).at(-1) ?? Number.NaN, 'SIGKILL');
    assert.ok(!everyFile.every(isUndone), 'not all files are undone');
  }

  async function choose(answer: string): Promise<void> {
    const { page } = ui;
    const offer = page.locator('.monaco-dialog-box', { hasText: /Undoing .* was interrupted/ });
    await offer.waitFor();
    await screenshot(page, `interrupted-${answer}`);
    await offer.getByRole('button', { name: answer }).click();
  }

  async function endsAt(session: Recorded, wanted: typeof before): Promise<void> {
    const isAsWanted = (at: number) => textOf(session, at) === wanted(at);
    const isReached = until('each file is as it should be', () => everyFile.every(isAsWanted));
    // The files of this window can't go to a trash, so the user is asked whether those that have to go are deleted.
    const question = ui.page.locator('.monaco-dialog-box', { hasText: /for good/ });
    const isAsked = question.waitFor().then(() => true);
    if (await Promise.race([isAsked, isReached.then(() => false)])) {
      await question.getByRole('button', { name: 'Delete for Good' }).click();
    }
    await isReached;
    await until('the end is recorded', () => endsOf(session) === intentsOf(session).length);
    assert.ok(everyFile.every(isAsWanted));
  }

  it('the next start offers to go back or on, and either ends exactly there', async () => {
    const session = recorded();
    await crashIn(session);
    await choose('Go Back');
    await endsAt(session, after);

    await crashIn(session);
    await choose('Continue');
    await endsAt(session, before);
  });
}
