import assert from 'node:assert/strict';
import { projectFolder } from '../../scripts/paths.mjs';
import { fakeAgent, update } from '../fakeAgent/scenario';
import { screenshot } from './harness/screenshot';
import { closeAllEditors, runCommand, transcriptFrame, treeRow } from './harness/window';
import { useWorkbench } from './harness/workbench';

describe('searching in conversations', () => {
  const ui = useWorkbench('search', (folder) => {
    const said = Array.from({ length: 300 }, (_, at) => [
      update.user(`Question ${at}`, `u${at}`),
      update.agent(at === 150 ? 'The **needle** lies here' : `Answer ${at}`, `a${at}`),
    ]).flat();
    const { command, args, env } = fakeAgent(
      {
        sessions: [
          { sessionId: 's1', cwd: folder, title: 'Haystack', updatedAt: '2026-03-01T12:00:00Z' },
        ],
        replays: { s1: [{ updates: said }, { result: {} }] },
      },
      projectFolder,
    );
    return {
      workspace: folder,
      settings: { 'acpSessions.agents': { demo: null, a: { title: 'A', command, args, env } } },
    };
  });

  it('finds words as they are typed, and lands on the entry that says them', async () => {
    const { page } = ui;
    await treeRow(page, /Haystack/).click();
    await transcriptFrame(page).getByText('Answer 299').waitFor();
    await closeAllEditors(page);

    await runCommand(page, 'ACP Sessions: Search in Conversations…');
    const picker = page.locator('.quick-input-widget');
    await picker.getByPlaceholder(/Words that were said/).pressSequentially('lies he');
    const hit = picker.getByRole('option', { name: /The \*\*needle\*\* lies here/ });
    await hit.waitFor();
    await screenshot(page, 'search-in-conversations');
    assert.match((await hit.textContent()) ?? '', /Haystack · A/);
    await page.keyboard.press('Enter');

    const found = transcriptFrame(page).locator('[data-index="301"]');
    await found.getByText('lies here').waitFor();
    await found.and(transcriptFrame(page).locator(':focus')).waitFor();
    assert.deepEqual(ui.errors, []);
  });
});
