import * as vscode from 'vscode';
import type { Page } from '../page/harness/page';
import { useDemoAgent } from './harness/demoAgent';
import { send } from './harness/whole';

describe('sessions at a glance, without VS Code', () => {
  const whole = useDemoAgent();
  let glance: Page;

  beforeEach(async () => {
    glance = await whole.current.glance();
  });

  /** Takes the mouse away from the rows, which stay where they are while it moves there. */
  const leaveRows = (): Promise<void> => glance.locator('body').hover();

  it('shows what a session asks, and answers it there', async () => {
    const transcript = await whole.current.newSession();
    await send(transcript, '/permission');
    const group = glance.getByRole('region', { name: /^Needs an answer/ });
    await group.getByText('npm run deploy -- --env staging').waitFor();
    await group.getByRole('button', { name: 'Allow once' }).click();
    await leaveRows();
    await group.waitFor({ state: 'detached' });
    await transcript.getByText('You allowed it', { exact: false }).first().waitFor();
  });

  it('shows what runs out of sight, stops it, and leads to what is done', async () => {
    await send(await whole.current.newSession(), '/slow 300');
    const running = glance.getByRole('region', { name: /^Running/ });
    await running.getByText('/slow 300').waitFor();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await running
      .getByText(/Wait \d+ seconds more|seconds/)
      .first()
      .waitFor();
    await running.getByRole('button', { name: 'Stop “/slow 300”' }).click();
    await leaveRows();
    const done = glance.getByRole('region', { name: /^Done, not read yet/ });
    await done.getByText('Stopped').waitFor();
    await done.getByRole('button', { name: '/slow 300' }).click();
    await leaveRows();
    await whole.current.page();
    await done.waitFor({ state: 'detached' });
    await whole.current.row(/^\/slow 300/);
  });
});
