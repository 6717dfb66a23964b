import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { fakeAgent, type Step, update } from '../../fakeAgent/scenario';
import { commandIds } from '../../support/commandIds';
import { Pickers } from '../../vscode/harness/pickers';
import { listed, transcriptTabs, waitFor } from '../../vscode/harness/support';
import type { Page } from '../page/harness/page';
import { useWhole } from './harness/whole';

/** What the agent does when a session is loaded, by session id. */
const replays: Readonly<Record<string, readonly Step[]>> = {
  good: [{ update: update.agent('All is well.') }, { result: {} }],
  silent: [{ result: {} }],
  gone: [{ error: { code: -32002, message: 'no such session' } }],
  slow: [{ update: update.agent('The first words.') }, { waitForCancel: true }],
  dying: [{ update: update.agent('Before the end.') }, { stderr: 'out of memory\n' }, { exit: 7 }],
};

const paged = (name: string, day: number) =>
  listed(name, `Paged ${name}`, `2026-04-0${day}T12:00:00Z`);

describe('agents that misbehave, without VS Code', () => {
  const whole = useWhole((bench) => {
    const sessions = Object.keys(replays).map((id) => listed(id, `The ${id} session`));
    const push: readonly Step[] = [
      { update: update.title('A title of its own'), sessionId: 'good' },
    ];
    const watch = [{ file: bench.file('push'), steps: push }];
    const first = { sessions: [paged('one', 2), paged('two', 1)], nextCursor: '2' };
    const second = { sessions: [paged('three', 3)] };
    const late: Step = { waitForFile: bench.file('page') };
    const pages = { 'session/list': [[{ result: first }], [late, { result: second }]] };
    return {
      trouble: { title: 'Fake', ...fakeAgent({ sessions, replays, watch }) },
      paging: { title: 'Paging', ...fakeAgent({ on: pages }) },
      missing: { title: 'Missing', command: 'no-such-agent-anywhere' },
      wrong: { title: 'Wrong', args: 'not a list' },
    };
  });

  const open = (sessionId: string): Promise<Page> =>
    whole.current.open(new RegExp(`^The ${sessionId} session`));

  it('names an entry of the settings that is not used, and the agents beside it work', async () => {
    await whole.current.row(/^wrong: /);
    await whole.current.row(/^The good session/);
  });

  it('says that a command is not there, and offers the setting', async () => {
    await whole.current.row(/^Missing/);
    await whole.current.row(/no-such-agent-anywhere|not found|isn't installed|could not be found/i);
  });

  it('shows what "Go to Session…" has read when older sessions are asked for', async () => {
    const { bench } = whole.current;
    await whole.current.row(/^Paged two/);
    const pickers = new Pickers();
    const command = vscode.commands.executeCommand(commandIds.goToSession);
    const picker = await pickers.shown();
    await writeFile(bench.file('page'), '');
    await waitFor(
      () => picker.items.some(({ label }) => label.includes('Paged three')),
      'the second page',
    );
    await pickers.close();
    await command;
    pickers.dispose();
    const older = await whole.current.row(/^Older sessions/);
    await whole.current.noRow(/^Paged three/);
    bench.api.view.getChildren(older);
    await whole.current.row(/^Paged three/);
  });

  it('INFO-1: shows a title that the agent pushes, in the row and in the tab', async () => {
    const transcript = await open('good');
    await transcript.getByText('All is well.').waitFor();
    await writeFile(whole.current.bench.file('push'), '');
    await whole.current.row(/^A title of its own/);
    await waitFor(() => transcriptTabs().includes('A title of its own'), 'the tab’s title');
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

  it('TR-8: keeps what an agent replayed before it died, says why, and loads it again', async () => {
    const transcript = await open('dying');
    await transcript.locator('.notice-title').waitFor();
    await transcript.getByText('Before the end.').waitFor();
    await transcript.getByRole('button', { name: 'Retry' }).waitFor();
  });
});
