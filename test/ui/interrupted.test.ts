import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { name as extensionName, publisher } from '../../package.json';
import { FolderOfBlobs } from '../../src/model/review/checkpoints/folderOfBlobs';
import { SessionRecord } from '../../src/model/review/record/sessionRecord';
import { absent } from '../../src/model/review/record/stateText';
import { recordFolder } from '../../src/model/review/storedReviews';
import { DiskFiles } from '../support/diskFiles';
import { sampleWorkspace } from './harness/sample';
import { screenshot } from './harness/screenshot';
import { runCommand, waitForWorkbench } from './harness/window';
import { useWorkbench } from './harness/workbench';

const count = 200;

/** The text of a file before the turn and after it; every tenth was added, and every eleventh deleted. */
const before = (at: number): string | undefined =>
  at % 10 === 0 ? undefined : `first\nbefore ${at}\n`.repeat(1 + (at % 7));
const after = (at: number): string | undefined =>
  at % 10 !== 0 && at % 11 === 0 ? undefined : `first\nafter ${at}\n`.repeat(1 + (at % 7));

describe('Undo All that a crash interrupts, in a window of VS Code', function () {
  // The window opens three times in each test.
  this.timeout(240_000);
  const ui = useWorkbench('interrupted', async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    viewport: { width: 1280, height: 1000 },
  }));
  let page: Page;
  /** The folder of the session's record. */
  let session: string;

  beforeEach(function () {
    if (process.platform === 'win32') {
      // There a program can't be ended like this.
      this.skip();
    }
    page = ui.page;
    mkdirSync(place(), { recursive: true });
  });

  afterEach(() => {
    rmSync(session, { recursive: true, force: true });
    rmSync(place(), { recursive: true, force: true });
  });

  const place = (): string => path.join(ui.workspace, 'many');
  const file = (at: number): string => path.join(place(), `file ${at}.txt`);
  const textOf = (at: number): string | undefined =>
    existsSync(file(at)) ? readFileSync(file(at), 'utf8') : undefined;
  const allAre = (wanted: typeof before): boolean =>
    Array.from({ length: count }, (_, at) => textOf(at) === wanted(at)).every(Boolean);

  function writeAll(wanted: typeof before): void {
    for (let at = 0; at < count; at++) {
      const text = wanted(at);
      if (text === undefined) {
        rmSync(file(at), { force: true });
      } else {
        writeFileSync(file(at), text);
      }
    }
  }

  async function until(what: string, isSo: () => boolean): Promise<void> {
    const end = Date.now() + 60_000;
    while (!isSo()) {
      assert.ok(Date.now() < end, what);
      await pause(5);
    }
  }

  const journal = (): string => readFileSync(path.join(session, 'journal.ndjson'), 'utf8');

  /** The record of a session whose agent has changed all files. */
  async function record(sessionId: string): Promise<void> {
    const storage = path.join(ui.dataFolder, 'User', 'globalStorage');
    const reviews = path.join(storage, `${publisher}.${extensionName}`, 'review');
    session = recordFolder(reviews, realpathSync(ui.workspace), ['demo', sessionId]);
    const blobs = new FolderOfBlobs(path.join(session, 'blobs'));
    const made = new SessionRecord({
      ...{ folder: session, agentId: 'demo', sessionId, blobs },
      files: new DiskFiles(),
    });
    const state = async (text: string | undefined) =>
      text === undefined ? absent : made.contents.add(Buffer.from(text));
    const changes = [];
    for (let at = 0; at < count; at++) {
      const states = { before: await state(before(at)), after: await state(after(at)) };
      changes.push({ file: file(at), ...states });
    }
    writeAll(after);
    await made.addTurn({ turn: 1, prompt: 'Change them', began: Date.now(), isOver: true });
    await made.addSteps({ by: 'agent', source: 'checkpoint', turn: 1 }, changes);
    made.dispose();
    await reopen();
  }

  async function reopen(): Promise<void> {
    await page.reload();
    await waitForWorkbench(page);
    // It was open before.
    await page.locator('.sidebar .composite.title', { hasText: /ACP Sessions/i }).waitFor();
  }

  /** Ends the extension host when some of the files are undone, and opens the window again. */
  async function crash(): Promise<void> {
    await runCommand(page, 'ACP Sessions: Undo All Changes');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: /Undo All/ }).click();
    let host: number | undefined;
    await until('the intention is recorded', () => {
      const intent = /"type":"intent".*?"pid":(\d+)/.exec(journal());
      host = intent === null ? undefined : Number(intent[1]);
      return host !== undefined;
    });
    const undone = () =>
      Array.from({ length: count }, (_, at) => textOf(at) === before(at)).filter(Boolean).length;
    await until('some files are undone', () => undone() > 0);
    process.kill(host ?? Number.NaN, 'SIGKILL');
    assert.ok(undone() < count, 'not all files are undone');
    await reopen();
  }

  for (const [answer, wanted] of [
    ['Go On', before],
    ['Go Back', after],
  ] as const) {
    it(`the next start offers to go on or back, and ${answer} ends exactly there`, async () => {
      await record(`session to ${answer}`);
      await crash();
      const offer = page.locator('.monaco-dialog-box', { hasText: /Undoing .* was interrupted/ });
      await offer.waitFor();
      await screenshot(page, `interrupted-${answer}`);
      await offer.getByRole('button', { name: answer }).click();
      await until(`each file is as it should be after ${answer}`, () => allAre(wanted));
      await until('the end is recorded', () => journal().includes('"type":"done"'));
      assert.ok(allAre(wanted));
    });
  }
});
