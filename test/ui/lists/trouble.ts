import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FakeAgentCommand, fakeAgent, type Step, update } from '../../fakeAgent/scenario';
import {
  closeAllEditors,
  editorTab,
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
  good: [{ update: update.agent('All is well.') }, { result: {} }],
  silent: [{ result: {} }],
  gone: [{ error: { code: -32002, message: 'no such session' } }],
  slow: [{ update: update.agent('The first words.') }, { waitForCancel: true }],
  hostile: [
    { update: update.agent(hostile) },
    { update: update.agent('Last words.', 'm') },
    { result: {} },
  ],
  dying: [{ update: update.agent('Before the end.') }, { stderr: 'out of memory\n' }, { exit: 7 }],
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
      const push: readonly Step[] = [
        { update: update.title('A title of its own'), sessionId: 'good' },
      ];
      const watch = [{ file: path.join(folder, 'push'), steps: push }];
      return {
        trouble: { title: 'Fake', ...fakeAgent({ sessions, replays, watch }) },
        paging: { title: 'Paging', ...slowPages(workspace, path.join(folder, 'page')) },
        missing: { title: 'Missing', command: 'no-such-agent-anywhere' },
        wrong: { title: 'Wrong', args: 'not a list' },
      };
    },
    { 'workbench.hover.delay': 500 },
  );

  before(() => treeRow(ui.page, 'The good session').waitFor());

  afterEach(async () => {
    await closeAllEditors(ui.page);
  });

  const open = async (sessionId: string) => {
    await treeRow(ui.page, `The ${sessionId} session`).click();
    return transcriptFrame(ui.page);
  };

  it('names an entry of the settings that is not used, and the agents beside it work', async () => {
    await treeRow(ui.page, /^wrong: /).waitFor();
  });

  it('says that a command is not there, and offers the setting', async () => {
    const { page } = ui;
    await treeRow(page, /^Missing/).click();
    await treeRow(page, /no-such-agent-anywhere|not found|isn't installed|could not be found/i)
      .first()
      .waitFor();
  });

  it('keeps the active row of "Go to Session…" while a slow agent’s pages arrive', async () => {
    const { page } = ui;
    await runCommand(page, 'ACP Sessions: Go to Session');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Paged two' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const focused = page.locator('.quick-input-list .monaco-list-row.focused');
    await focused.filter({ hasText: 'Paged two' }).waitFor();
    // The extension is asked for a row's tooltip after it is told of the active row.
    await treeRow(page, 'The good session').hover();
    await page.locator('.monaco-hover', { hasText: 'The good session' }).waitFor();
    await writeFile(path.join(ui.folder, 'page'), '');
    await rows.filter({ hasText: 'Paged three' }).waitFor();
    assert.match((await focused.textContent()) ?? '', /Paged two/);
    await page.keyboard.press('Escape');
  });

  it('shows what "Go to Session…" has read when older sessions are asked for', async () => {
    const { page } = ui;
    await treeRow(page, /^Paging/).click();
    await treeRow(page, 'Paged two').waitFor();
    assert.equal(await treeRow(page, 'Paged three').count(), 0);
    await writeFile(path.join(ui.folder, 'page'), '');
    await treeRow(page, 'Older sessions').click();
    await treeRow(page, 'Paged three').waitFor();
  });

  it('INFO-1: shows a title that the agent pushes, in the row and in the tab', async () => {
    const { page } = ui;
    const transcript = await open('good');
    await transcript.getByText('All is well.').waitFor();
    await writeFile(path.join(ui.folder, 'push'), '');
    await treeRow(page, /^A title of its own/).waitFor();
    await editorTab(page, /A title of its own/).waitFor();
    await transcript.getByRole('heading', { name: 'A title of its own' }).waitFor();
  });

  it('T-13: says that the agent sent no history', async () => {
    const transcript = await open('silent');
    await transcript.getByRole('region', { name: 'Fake sent no history' }).waitFor();
  });

  it('LOAD-11: says that a session is gone', async () => {
    const transcript = await open('gone');
    const notice = transcript.getByRole('region', { name: 'This session is not available' });
    await notice.getByText('Fake no longer has it').waitFor();
    await notice.getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('LOAD-12: cancels a load that does not end, and keeps what has come', async () => {
    const transcript = await open('slow');
    await transcript.getByText('The first words.').waitFor();
    await transcript.getByRole('button', { name: 'Cancel' }).click();
    await transcript.getByRole('region', { name: 'Loading was canceled' }).waitFor();
    assert.equal(await transcript.getByText('The first words.').count(), 1);
  });

  it('T-24: shows hostile Markdown as text; its links run nothing and lead nowhere', async () => {
    const { page } = ui;
    const requests: string[] = [];
    const observer = await page.context().newCDPSession(page);
    await observer.send('Network.enable');
    observer.on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
    const transcript = await open('hostile');
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

  it('TR-8: keeps what an agent replayed before it died, says why, and loads it again', async () => {
    const transcript = await open('dying');
    await transcript.locator('.notice-title').waitFor();
    await transcript.getByText('Before the end.').waitFor();
    await transcript.getByRole('button', { name: 'Retry' }).waitFor();
  });
}
