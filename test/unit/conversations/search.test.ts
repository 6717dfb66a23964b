import * as vscode from 'vscode';
import { fakeAgent, update } from '../../fakeAgent/scenario';
import { commandIds } from '../../support/commandIds';
import { Pickers } from '../../vscode/harness/pickers';
import { listed, waitFor } from '../../vscode/harness/support';
import { useWhole } from './harness/whole';

const edit = update.toolCall('edit', 'Edit the hay', {
  kind: 'edit',
  status: 'completed',
  content: [
    { type: 'diff', path: '/hay.ts', oldText: 'const straw = 1;', newText: 'const pin = 1;' },
  ],
});

describe('searching in conversations, without VS Code', () => {
  const whole = useWhole(() => {
    const said = Array.from({ length: 300 }, (_, at) => [
      update.user(`Question ${at}`, `u${at}`),
      at === 100 ? edit : update.agent(`Answer ${at}`, `a${at}`),
    ]).flat();
    const sessions = [listed('s1', 'Haystack')];
    const replays = { s1: [{ updates: said }, { result: {} }] };
    return { search: { title: 'A', ...fakeAgent({ sessions, replays }) } };
  });

  it('finds a line that was taken away, and lands on the call that did it', async () => {
    const { bench } = whole.current;
    const transcript = await whole.current.open(/^Haystack/);
    await transcript.getByText('Answer 299').waitFor();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await waitFor(() => bench.api.sessions.all.length === 0, 'the session to close');
    await bench.api.search.indexer.idle;
    const pickers = new Pickers();
    const command = vscode.commands.executeCommand(commandIds.searchConversations);
    const picker = await pickers.made();
    picker.value = 'const straw';
    await waitFor(
      () => !picker.busy && picker.items.some(({ label }) => label.includes('const straw = 1')),
      'the line',
    );
    await pickers.accept(command);
    pickers.dispose();
    const again = await whole.current.page();
    const found = again.locator('[data-index="201"]');
    await found.getByText('Edit the hay').waitFor();
    await found.and(again.locator(':focus')).waitFor();
  });
});
