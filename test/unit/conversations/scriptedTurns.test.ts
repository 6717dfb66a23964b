import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../support/commandIds';
import { tabLabels } from '../../vscode/harness/previews';
import { waitFor, workspaceFolder } from '../../vscode/harness/support';
import type { Page } from '../page/harness/page';
import { scriptedAgent } from './harness/scriptedAgent';
import { send, stop, useWhole } from './harness/whole';

describe('what agents of version 1 let the user do, and do by themselves, without VS Code', () => {
  const whole = useWhole(scriptedAgent('1'));
  let frame: Page;

  beforeEach(async () => {
    frame = await whole.current.newSession();
  });

  it('TE-4, TE-7, TE-9: shows a command’s output while it runs and afterward', async () => {
    await send(frame, '/terminal');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('All of them passed.').first().waitFor();
    await frame.getByRole('button', { name: /Open in Terminal/ }).waitFor();
  });

  it('FS-3, TE-2, PE-9, SEC-3: asks about a change and a command that the agent did not ask for', async () => {
    await send(frame, '/unasked');
    const file = path.join(workspaceFolder(), 'unasked.md');
    await frame
      .getByRole('heading', { name: /wants to write a file it didn’t ask permission for/ })
      .waitFor();
    await frame.locator('.card-subject').getByText(file).waitFor();
    await frame.locator('.card .diff-line-added', { hasText: '# Written' }).waitFor();
    assert.equal(existsSync(file), false);
    await frame.getByRole('button', { name: 'Allow for This Session' }).click();
    await frame
      .getByRole('heading', { name: /wants to run a command it didn’t ask permission for/ })
      .waitFor();
    assert.ok(existsSync(file));
    await frame.getByText(`It runs in ${workspaceFolder()}.`).waitFor();
    await frame.getByRole('button', { name: 'Reject', exact: true }).click();
    await frame
      .getByText(/The change: \{\}.*The command: \{"error"/)
      .first()
      .waitFor();
    await vscode.commands.executeCommand(commandIds.askAgain);
    await send(frame, '/unasked');
    await frame
      .getByRole('heading', { name: /wants to write a file it didn’t ask permission for/ })
      .waitFor();
    await stop(frame);
    await frame.getByText('Stopped').first().waitFor();
  });

  it('what the agent changes in a turn that it begins by itself is listed there, and taken back', async () => {
    const file = path.join(workspaceFolder(), 'prices.txt');
    const prices = 'Fern 4.50\n';
    await writeFile(file, prices);
    await send(frame, '/later');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame
      .getByText(/I reported neither/)
      .first()
      .waitFor();
    assert.notEqual(readFileSync(file, 'utf8'), prices);
    await frame.getByRole('button', { name: /^Stop/ }).click();
    const end = frame.getByRole('group', { name: 'A turn that the agent began changed 2 files' });
    await end.waitFor();
    await frame.getByText('The agent began this turn by itself.').first().waitFor();
    await end.getByRole('button', { name: 'Review' }).click();
    await waitFor(
      () => tabLabels().some((label) => /^Review: .*a turn that the agent began/.test(label)),
      'the review',
    );
    whole.current.dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice.startsWith('Undo All'));
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    await vscode.window.tabGroups.close(activeTab ?? []);
    const again = await whole.current.page();
    await again
      .getByRole('group', { name: 'A turn that the agent began changed 2 files' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await again.getByText('Undone', { exact: true }).waitFor();
    const [asked] = whole.current.dialogs.asked;
    assert.match(`${asked?.text} ${asked?.detail}`, /the turn that the agent began/);
    assert.equal(readFileSync(file, 'utf8'), prices);
  });
});
