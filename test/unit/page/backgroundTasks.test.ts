import assert from 'node:assert/strict';
import type { BackgroundTask } from '../../../src/shared/transcript/backgroundTask';
import { useTranscripts } from './harness/transcriptPage';

describe('tasks in the background in the page', () => {
  const open = useTranscripts();
  const task: BackgroundTask = {
    ...{ id: 'terminal t', kind: 'terminal', title: 'npm test', canStop: true },
    output: '\u001b[31mfailed\u001b[0m\n'.repeat(20),
  };
  const other: BackgroundTask = { id: 'other 1', kind: 'other', title: 'Other work (dream)' };

  it('V2-TURN-12: a line above the composer opens the list, in which each can be stopped that lets it', async () => {
    const { page, host } = await open({ session: { tasks: { count: 60, listed: [task, other] } } });
    await page.getByRole('button', { name: '60 tasks are still running' }).click();
    const list = page.getByRole('region', { name: 'Tasks in the Background' });
    await list.getByText('Other work (dream)').waitFor();
    await list.getByText('58 more').waitFor();
    const output = await list.locator('.task-output').innerText();
    assert.deepEqual(output.split(/\s/), Array(8).fill('failed'));
    assert.equal(await list.getByRole('button', { name: /^Stop/ }).count(), 1);
    await list.getByRole('button', { name: 'Stop npm test' }).click();
    assert.deepEqual(await host.sent('stopTask'), [{ type: 'stopTask', id: 'terminal t' }]);
    host.setSession({ tasks: { count: 1, listed: [{ ...task, stop: 'asked' }] } });
    await list.getByText('Stopping…').waitFor();
    assert.equal(await list.getByRole('button', { name: /^Stop/ }).count(), 0);
    host.setSession({ tasks: { count: 1, listed: [{ ...task, stop: 'failed' }] } });
    await list.getByText('Couldn’t stop it').waitFor();
    await list.getByRole('button', { name: 'Stop npm test' }).waitFor();
  });
});
