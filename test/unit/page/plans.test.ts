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
});
