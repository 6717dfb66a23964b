import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ableInitialize, fakeAgent } from '../../fakeAgent/scenario';
import { chooseViewOption, transcriptFrame, treeRow } from '../harness/window';
import { useAgents, type Workbench } from '../harness/workbench';

interface Call {
  readonly method?: string;
  readonly params?: { readonly cwd?: string; readonly additionalDirectories?: readonly string[] };
}

/** The workspace file in the folder that is made for the window; it has only the window's first folder at first. */
export const workspaceFile = 'all.code-workspace';

/** Folders that join the window's own. */
export function describeFolders(ui: Readonly<Workbench>): void {
  /** A workspace folder reached through a symbolic link. */
  const linked = 'linked #1 100%';

  useAgents(
    ui,
    () => {
      const session = (sessionId: string, cwd: string, title: string) => ({
        sessionId,
        cwd,
        title,
        updatedAt: '2026-03-01T12:00:00Z',
      });
      const scenario = {
        initialize: ableInitialize,
        sessions: [
          // The path that an agent reports if it was started in the folder itself.
          session('behind', at('disk'), 'Behind the link'),
          session('second', at('second & third'), 'In the second'),
          session('lost', at('lost #1 100%'), 'Of a lost folder'),
        ],
        record: at('log'),
      };
      return { folders: { title: 'Fake', ...fakeAgent(scenario) } };
    },
    { 'acpSessions.additionalDirectories': 'workspaceFolders' },
  );

  before(async () => {
    for (const name of ['disk', 'second & third', 'moved #1 100%']) await mkdir(at(name));
    await symlink(at('disk'), at(linked), 'dir');
    const folders = [{ path: ui.workspace }, { path: at(linked) }, { path: at('second & third') }];
    await writeFile(at(workspaceFile), JSON.stringify({ folders }));
  });

  const at = (name: string): string => path.join(ui.folder, name);

  async function callsOf(method: string): Promise<readonly Call[]> {
    const lines = (await readFile(at('log'), 'utf8')).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Call).filter((call) => call.method === method);
  }

  /**
   * The parameters of the last request of this method; waits for one that comes after `before`
   * others.
   */
  async function wire(method: string, before = 0): Promise<NonNullable<Call['params']>> {
    for (;;) {
      const calls = await callsOf(method);
      const params = calls.length > before ? calls.at(-1)?.params : undefined;
      if (params !== undefined) {
        return params;
      }
      await ui.page.waitForTimeout(50);
    }
  }

  it('T-1: shows each folder’s sessions in a section of its own, links and odd names included', async () => {
    const { page } = ui;
    await treeRow(page, /^linked #1 100%/).waitFor();
    await treeRow(page, /^Behind the link/).waitFor();
    await treeRow(page, /^second & third/).waitFor();
    await treeRow(page, /^In the second/).waitFor();
    await treeRow(page, /^Behind the link/).click();
    assert.equal((await wire('session/load')).cwd, at('disk'), 'the session’s own folder');
  });

  it('DIR-4: gives a new session the other folder of the workspace, if that was chosen', async () => {
    const { page } = ui;
    const row = treeRow(page, /^second & third/);
    await row.hover();
    await row.getByRole('button', { name: /New Session/ }).click();
    const { cwd, additionalDirectories } = await wire('session/new');
    assert.equal(cwd, at('second & third'));
    assert.deepEqual(additionalDirectories, [ui.workspace, at(linked)]);
    // Its tab takes the focus once it is ready.
    const transcript = transcriptFrame(page);
    const prompt = transcript.getByRole('textbox', { name: 'Prompt' });
    await prompt.and(transcript.locator(':focus')).waitFor();
  });

  it('opens a session of a missing folder in the folder that the user chooses', async () => {
    const { page } = ui;
    await chooseViewOption(page, 'Sessions of All Folders');
    const row = treeRow(page, /^Of a lost folder, folder is gone/);
    await row.click();
    const transcript = transcriptFrame(page);
    await transcript.getByText('The session’s folder doesn’t exist', { exact: true }).waitFor();
    await transcript.getByRole('button', { name: 'Locate Folder…' }).click();
    const dialog = page.locator('.quick-input-widget');
    await dialog.locator('.monaco-list-row', { hasText: 'moved #1 100%' }).click();
    await dialog.locator('.monaco-list-row', { hasText: 'disk' }).waitFor({ state: 'detached' });
    const { length: before } = await callsOf('session/load');
    await dialog.getByRole('button', { name: /Use This/ }).click();
    const { cwd } = await wire('session/load', before);
    assert.equal(cwd, at('moved #1 100%'));
    await treeRow(page, /moved #1 100%/).waitFor();
    // The new tab takes the focus, which would close a menu.
    await transcript.getByText('Hello!', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME');
    await treeRow(page, /^Of a lost folder/).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Folder' }).waitFor();
    await page.keyboard.press('Escape');
  });
}
