import assert from 'node:assert/strict';
import { Transcript } from '../../../src/model/transcript/transcript';
import { toolCall } from '../../ui/webview/harness/entries';
import { start } from '../../ui/webview/harness/scenes/subagents';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

const inside = (page: Page) => page.locator('.subagent-body');

describe('subagents', () => {
  const open = useTranscripts();

  it('SUB-1: nothing of a folded one is sent but how much it did', async () => {
    const { page, host } = await open();
    const transcript = new Transcript();
    host.show(transcript);
    const nested = start(transcript, 'one');
    await inside(page).getByText('Call of one').waitFor();
    await page.getByRole('button', { name: /^one/ }).click();
    await inside(page).waitFor({ state: 'detached' });
    assert.deepEqual((await host.sent('unfold')).at(-1), { type: 'unfold', number: 1, rows: 0 });
    for (let at = 0; at < 20; at++) {
      nested.add(toolCall({ title: `Step ${at}`, toolCallId: `s${at}` }));
      nested.apply({ sessionUpdate: 'tool_call', toolCallId: `c${at}`, title: `Step ${at}` });
    }
    await page.getByText('20 tool calls').waitFor();
    await page.getByRole('button', { name: /^one/ }).click();
    await inside(page).getByText('Step 19').first().waitFor();
    assert.equal(await page.locator('.subagent-placeholder').count(), 0);
    await page.getByRole('button', { name: 'Show earlier entries (30)' }).click();
    await inside(page).getByText('Call of one').waitFor();
  });
});
