import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FakeAgentCommand, fakeAgent, type Step, update } from '../../fakeAgent/scenario';
import {
  closeAllEditors,
  notification,
  runCommand,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import { useAgents, type Workbench } from '../harness/workbench';

const hostile = [
  '<img src=x onerror="document.body.textContent = 1"><script>document.title = 1</script>',
  '![spy](https://example.invalid/spy.png)',
  '[run](command:workbench.action.closeWindow) [script](javascript:alert(1))',
  '[notes](../../../../etc/passwd)',
  '```ts\nconst coloured = true;\n```',
].join('\n\n');

/** What the agent does when a session is loaded, by session id. */
const replays: Readonly<Record<string, readonly Step[]>> = {
  good: [{ result: {} }],
  hostile: [
    { update: update.agent(hostile) },
    { update: update.agent('Last words.', 'm') },
    { result: {} },
  ],
};

/** Lists two pages; the second one is sent when the file exists. */
function slowPages(cwd: string, file: string): FakeAgentCommand {
  const session = (name: string, day: number) => ({
    sessionId: name,
    cwd,
    title: `Paged ${name}`,
    updatedAt: `2026-04-0${day}T12:00:00Z`,
  });
  const first = { sessions: [session('one', 2), session('two', 1)], nextCursor: '2' };
  const second = { sessions: [session('three', 3)] };
  const late: Step = { waitForFile: file };
  return fakeAgent({ on: { 'session/list': [[{ result: first }], [late, { result: second }]] } });
}

/** Agents that misbehave. */
export function describeTrouble(ui: Readonly<Workbench>): void {
  useAgents(
    ui,
    ({ folder, workspace }) => {
      const sessions = Object.keys(replays).map((sessionId) => ({
        sessionId,
        cwd: workspace,
        title: `The ${sessionId} session`,
        updatedAt: '2026-03-01T12:00:00Z',
      }));
      return {
        trouble: { title: 'Fake', ...fakeAgent({ sessions, replays }) },
        paging: { title: 'Paging', ...slowPages(workspace, path.join(folder, 'page')) },
      };
    },
    { 'workbench.hover.delay': 500 },
  );

  before(async () => {
    await treeRow(ui.page, /^Fake/).click();
    await treeRow(ui.page, 'The good session').waitFor();
    // A webview that is ready late, after the window has opened, would take the focus from a list and so close it.
    await closeAllEditors(ui.page);
  });

  afterEach(async () => {
    await closeAllEditors(ui.page);
  });

  it('keeps the active row of "Go to Session…" while a slow agent’s pages arrive', async () => {
    const { page } = ui;
    await runCommand(page, 'ACP Sessions: Go to Session');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Paged two' }).waitFor();
    const focused = page.locator('.quick-input-list .monaco-list-row.focused');
    const isActive = (): Promise<boolean> =>
      focused
        .filter({ hasText: 'Paged two' })
        .waitFor({ timeout: 2_000 })
        .then(
          () => true,
          () => false,
        );
    // Which row is active first depends on which agent answers first.
    for (let attempt = 0; attempt < 10 && !(await isActive()); attempt++) {
      await page.keyboard.press('ArrowDown');
    }
    assert.match((await focused.textContent()) ?? '', /Paged two/);
    // The extension is asked for a row's tooltip after it is told of the active row. Older sessions of the other agent
    // show when no page can come between.
    await treeRow(page, /^Paged one/).hover();
    await page.locator('.monaco-hover', { hasText: 'Paged one' }).waitFor();
    await writeFile(path.join(ui.folder, 'page'), '');
    await rows.filter({ hasText: 'Paged three' }).waitFor();
    assert.match((await focused.textContent()) ?? '', /Paged two/);
    await page.keyboard.press('Escape');
    // With its last page, nothing can come before the sessions of the other agent any more.
    await treeRow(page, 'Older sessions').click();
    await treeRow(page, 'The good session').waitFor();
  });

  it('T-24: shows hostile Markdown as text; its links run nothing and lead nowhere', async () => {
    const { page } = ui;
    const requests: string[] = [];
    const observer = await page.context().newCDPSession(page);
    await observer.send('Network.enable');
    observer.on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
    await treeRow(page, 'The hostile session').click();
    const transcript = transcriptFrame(page);
    await transcript.getByText('Last words.').waitFor();
    // Highlighted by the worker, which VS Code's webviews allow to start.
    await transcript.locator('.hljs-keyword').waitFor();
    assert.equal(await transcript.locator('.entry img, .entry script').count(), 0);
    await transcript.getByText('notes', { exact: true }).click();
    await notification(page, /./).first().or(page.getByRole('dialog')).first().waitFor();
    await page.keyboard.press('Escape');
    await observer.detach();
    assert.deepEqual(
      requests.filter((url) => url.includes('example.invalid')),
      [],
    );
    assert.ok(
      requests.some((url) => url.includes('webview')),
      'requests are observed',
    );
  });
}
