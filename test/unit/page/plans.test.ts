import assert from 'node:assert/strict';
import type { PlanItem } from '../../../src/shared/transcript/content';
import { useTranscripts } from './harness/transcriptPage';

describe('plans in the page', () => {
  const open = useTranscripts();
  const item = (status: PlanItem['status']): PlanItem => ({
    ...{ content: 'Read', priority: 'medium', status },
  });

  it('PL-4: open as a document, and are continued while something is left to do', async () => {
    const { page, host } = await open({
      entries: [
        { kind: 'plan', planId: 'a', items: [item('pending')] },
        { kind: 'plan', planId: 'b', items: [], blocks: [{ type: 'text', text: '# Plan' }] },
        { kind: 'plan', planId: 'c', items: [item('completed'), item('cancelled')] },
      ],
    });
    await page.getByRole('button', { name: 'Open Plan' }).nth(2).waitFor();
    await page.getByRole('button', { name: 'Open Plan' }).nth(1).click();
    const goOn = page.getByRole('button', { name: 'Continue with This Plan…' });
    assert.equal(await goOn.count(), 2);
    await goOn.first().focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.sent('plan'), [
      { type: 'plan', act: 'open', index: 1 },
      { type: 'plan', act: 'continue', index: 0 },
    ]);
  });

  it('PL-1: how far the list is stands above the composer, and unfolds there', async () => {
    const checklist = [item('completed'), { ...item('in_progress'), content: 'Write a test' }];
    const turn = { kind: 'running', cancelling: false, canForce: false, began: 1 } as const;
    const { page, host } = await open({ session: { checklist, turn } });
    const head = page.getByRole('button', { name: '1 of 2 done Write a test' });
    await head.click();
    await page.locator('.checklist .plan-content', { hasText: 'Write a test' }).waitFor();
    host.setSession({ checklist: [item('completed')], turn });
    await page.getByText('1 of 1 done').waitFor();
    host.setSession({ checklist: [item('completed')], turn: { kind: 'idle' } });
    await page.locator('.checklist').waitFor({ state: 'detached' });
    host.setSession({ checklist, turn: { kind: 'idle' } });
    await page.getByText('1 of 2 done').waitFor();
  });
});
