import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../support/commandIds';
import { tabLabels } from '../../vscode/harness/previews';
import { transcriptTabs, waitFor } from '../../vscode/harness/support';
import { useDemoAgent } from './harness/demoAgent';

const newest = 'Cart total is off by a cent or two with discounts';
const isNewest = new RegExp(`^${newest}`);

describe('the sample history, without VS Code', () => {
  const whole = useDemoAgent('history');

  it('opens a session at its newest entry, once', async () => {
    const transcript = await whole.current.open(isNewest);
    await transcript.getByRole('heading', { name: newest }).waitFor();
    await transcript.getByRole('article').last().waitFor();
    await whole.current.open(isNewest);
    assert.deepEqual(transcriptTabs(), [newest]);
  });

  it('finds the sessions that touched the file in the editor, and lands on what they did to it', async () => {
    const { bench, dialogs } = whole.current;
    const transcript = await whole.current.open(isNewest);
    await transcript.getByRole('article').last().waitFor();
    await transcript.getByRole('link', { name: 'src/cart/total.ts' }).first().click();
    await waitFor(() => tabLabels().includes('total.ts'), 'the file');
    await bench.api.search.indexer.idle;
    dialogs.answer = ({ choices }) => choices.find((choice) => choice.includes(newest));
    await vscode.commands.executeCommand(commandIds.searchFile);
    const found = await whole.current.page();
    await found.locator('[data-index]:focus', { hasText: 'total.ts' }).waitFor();
  });
});
