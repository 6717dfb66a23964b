import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ableInitialize, fakeAgent } from '../fakeAgent/scenario';
import { type Host, startHost } from './harness/host';
import {
  openSessionsView,
  openWindow,
  runCommand,
  screenshot,
  transcriptFrame,
  treeRow,
  type Window,
} from './harness/window';

interface Call {
  readonly method?: string;
  readonly params?: { readonly cwd?: string; readonly additionalDirectories?: readonly string[] };
}

describe('folders, in a window of VS Code', () => {
  let folder: string;
  let host: Host;
  let window: Window;

  const at = (name: string): string => path.join(folder, name);
  /** A workspace folder behind a link. */
  const linked = 'linked #1 100%';

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-folders-')));
    for (const name of ['disk', 'second & third', 'moved #1 100%']) {
      await mkdir(at(name));
    }
    await symlink(at('disk'), at(linked), 'dir');
    const workspace = at('all.code-workspace');
    const folders = [linked, 'second & third'].map((name) => ({ path: at(name) }));
    await writeFile(workspace, JSON.stringify({ folders }));
    const session = (sessionId: string, cwd: string, title: string) => ({
      sessionId,
      cwd,
      title,
      updatedAt: '2026-03-01T12:00:00Z',
    });
    const { command, args, env } = fakeAgent({
      initialize: ableInitialize,
      sessions: [
        // As an agent knows it that was started in the folder itself.
        session('behind', at('disk'), 'Behind the link'),
        session('second', at('second & third'), 'In the second'),
        session('lost', at('lost #1 100%'), 'Of a lost folder'),
      ],
      record: at('log'),
    });
    host = await startHost({
      workspace,
      settings: {
        'acpSessions.agents': { demo: null, fake: { title: 'Fake', command, args, env } },
        'acpSessions.additionalDirectories': 'workspaceFolders',
      },
    });
    window = await openWindow(host);
    await openSessionsView(window.page);
  });

  after(async () => {
    await window.close();
    await host.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async function () {
    await screenshot(window.page, `folders-${this.currentTest?.title.slice(0, 60) ?? ''}`);
  });

  /** The parameters of the last such request; waits for one that comes after `before` others. */
  async function wire(method: string, before = 0): Promise<NonNullable<Call['params']>> {
    for (;;) {
      const lines = (await readFile(at('log'), 'utf8')).split('\n').slice(0, -1);
      const calls = lines
        .map((line) => JSON.parse(line) as Call)
        .filter((call) => call.method === method);
      const params = calls.length > before ? calls.at(-1)?.params : undefined;
      if (params !== undefined) {
        return params;
      }
      await window.page.waitForTimeout(50);
    }
  }

  it('T-1: shows each folder’s sessions in a section of its own, links and odd names included', async () => {
    const { page } = window;
    await treeRow(page, /^linked #1 100%/).waitFor();
    await treeRow(page, /^Behind the link/).waitFor();
    await treeRow(page, /^second & third/).waitFor();
    await treeRow(page, /^In the second/).waitFor();
    await treeRow(page, /^Behind the link/).click();
    assert.equal((await wire('session/load')).cwd, at('disk'), 'the session’s own folder');
  });

  it('DIR-4: gives a new session the other folder of the workspace, if that was chosen', async () => {
    const { page } = window;
    const row = treeRow(page, /^second & third/);
    await row.hover();
    await row.getByRole('button', { name: /New Session/ }).click();
    const { cwd, additionalDirectories } = await wire('session/new');
    assert.equal(cwd, at('second & third'));
    assert.deepEqual(additionalDirectories, [at(linked)]);
  });

  it('opens a session of a folder that is gone where a person says that it is', async () => {
    const { page } = window;
    await runCommand(page, 'ACP Sessions: Show Sessions of All Folders');
    const row = treeRow(page, /^Of a lost folder, folder is gone/);
    await row.click();
    const transcript = transcriptFrame(page);
    await transcript.getByText('The folder of the session is not there', { exact: true }).waitFor();
    await transcript.getByRole('button', { name: 'Locate Folder…' }).click();
    const dialog = page.locator('.quick-input-widget');
    await dialog.locator('.monaco-list-row', { hasText: 'moved #1 100%' }).click();
    await dialog.locator('.monaco-list-row', { hasText: 'disk' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: /Use This/ }).click();
    const { cwd } = await wire('session/load', 1);
    assert.equal(cwd, at('moved #1 100%'));
    await treeRow(page, /moved #1 100%$/).waitFor();
    await treeRow(page, /^Of a lost folder/).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Forget the New Folder of Session' }).waitFor();
    await page.keyboard.press('Escape');
  });
});
