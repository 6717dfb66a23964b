import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { transcriptTabs, waitFor, workspaceFolder } from '../../vscode/harness/support';
import type { Page } from '../page/harness/page';
import { useDemoAgent } from './harness/demoAgent';
import { send, stop } from './harness/whole';

describe('turns with the demo agent, without VS Code', () => {
  const whole = useDemoAgent();
  let frame: Page;

  beforeEach(async () => {
    frame = await whole.current.newSession();
  });

  /** Starts a turn that lasts this many seconds, and waits until it is running. */
  async function startSlowTurn(seconds: number): Promise<void> {
    await send(frame, `/slow ${seconds}`);
    await frame
      .getByText(/Wait \d+ seconds more/)
      .first()
      .waitFor();
  }

  it('NEW-1, PR-6: a new session answers, gets its title and its row in the tree', async () => {
    await send(frame, 'Hello there');
    await frame.getByText('I am the Demo Agent', { exact: false }).first().waitFor();
    await whole.current.row(/^Hello there/);
    const said = frame.getByRole('article', { name: 'You' }).filter({ hasText: 'Hello there' });
    assert.equal(await said.count(), 1);
  });

  it('PE-2, PE-3: asks before a command is run, and goes on when that is allowed', async () => {
    await send(frame, '/permission');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('You allowed it').first().waitFor();
  });

  it('PE-3: leaves the file alone when the change is rejected', async () => {
    await send(frame, '/diff rejected.md');
    await frame.getByRole('button', { name: 'Reject', exact: true }).click();
    await frame.getByText('You did not allow the change').first().waitFor();
    assert.equal(existsSync(path.join(workspaceFolder(), 'rejected.md')), false);
  });

  it('shows an agent at work that writes files by itself and reports only fragments of them', async () => {
    await send(frame, '/work fragments');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('reported only the lines around each edit').first().waitFor();
    const notes = readFileSync(path.join(workspaceFolder(), 'demo-agent', 'notes.md'), 'utf8');
    assert.match(notes, /^Saturday: 10 to 18 \(revision 1\)$/m);
    await frame.getByRole('button', { name: /^1 file/ }).waitFor();
    await send(frame, '/work wonders');
    await frame.getByText('I know these kinds of work').first().waitFor();
  });

  it('EL-2, EL-6, EL-10: sends a form only when it is right', async () => {
    await send(frame, '/ask');
    const email = frame.getByLabel('E-mail');
    await email.fill('nobody');
    await frame.getByRole('button', { name: 'Submit' }).click();
    await frame.getByText(/valid e-?mail/i).waitFor();
    await email.fill('ada@example.org');
    await frame.getByRole('button', { name: 'Submit' }).click();
    await frame.getByText('Thank you. You entered').first().waitFor();
    await frame.getByText('ada@example.org').first().waitFor();
  });

  it('PE-4, CA-1, CA-2: stopping a turn takes its question back', async () => {
    await send(frame, '/permission');
    await frame.getByRole('button', { name: 'Allow once' }).waitFor();
    await stop(frame);
    await frame.getByText('Stopped').first().waitFor();
    assert.equal(await frame.getByRole('button', { name: 'Allow once' }).count(), 0);
  });

  it('PR-5: a prompt that is sent during a turn waits in sight, after Stop for the user', async () => {
    await startSlowTurn(60);
    await send(frame, 'And then this');
    await frame.getByRole('button', { name: /^Remove/ }).waitFor();
    await stop(frame);
    const unsent = frame.getByRole('region', { name: 'Prompts not sent' });
    await unsent.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('I am the Demo Agent', { exact: false }).first().waitFor();
  });

  it('goes on without its tab, which a click on the row brings back', async () => {
    await startSlowTurn(61);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await waitFor(() => transcriptTabs().length === 0, 'the tab to go');
    const again = await whole.current.open(/\/slow 61.*running/);
    await again.getByRole('heading', { level: 1, name: '/slow 61' }).waitFor();
    await again.getByRole('button', { name: /^Stop/ }).click();
    await again.getByText('Stopped').first().waitFor();
  });
});
