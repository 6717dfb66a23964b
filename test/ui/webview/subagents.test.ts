import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Transcript } from '../../../src/model/transcript/transcript';
import type { SubagentEntry } from '../../../src/shared/transcript/entries';
import { agent, user } from './harness/entries';
import { start } from './harness/scenes/subagents';
import { useTranscripts } from './harness/transcriptPage';

function end(within: Transcript, index: number): void {
  const entry = within.entries[index] as SubagentEntry;
  within.replace(index, { ...entry, state: { kind: 'idle', stopReason: 'end_turn' } });
}

const inside = (page: Page) => page.locator('.subagent-body');

describe('subagents', () => {
  const open = useTranscripts();

  it('SUB-1: several that begin at once each show what they do, also while another ends', async () => {
    const { page, host } = await open();
    const transcript = new Transcript();
    transcript.add(user('Go'));
    host.show(transcript);
    const nested = ['one', 'two', 'three'].map((title) => start(transcript, title));
    for (const title of ['one', 'two', 'three']) {
      await inside(page).getByText(`Task of ${title}`).waitFor();
      await inside(page).getByText(`Call of ${title}`).waitFor();
    }
    end(transcript, 1);
    start(transcript, 'four');
    nested[1]?.add(agent('More of two'));
    await inside(page).getByText('Call of four').waitFor();
    await inside(page).getByText('More of two').waitFor();
    await inside(page).getByText('Task of one').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.subagent-placeholder').count(), 0);
  });
});
