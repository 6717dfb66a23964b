import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fakeAgent, update } from '../../fakeAgent/scenario';
import { screenshot } from '../harness/screenshot';
import { closeAllEditors, runCommand, transcriptFrame, treeRow } from '../harness/window';
import { useAgents, type Workbench } from '../harness/workbench';

const answerOf = (question: number): string =>
  question === 150 ? 'The **needle** lies here' : `Answer ${question}`;

/** Waits until the transcript marks these words as search hits. */
function marked(page: Page, words: readonly string[]): Promise<void> {
  return transcriptFrame(page)
    .locator('body')
    .evaluate(
      (_, wanted) =>
        new Promise<void>((resolve) => {
          const look = (): void => {
            const found = [...(CSS.highlights.get('hit-word') ?? [])].map(String);
            if (found.join() === wanted) {
              resolve();
            } else {
              requestAnimationFrame(look);
            }
          };
          look();
        }),
      words.join(),
    );
}

export function describeSearch(ui: Readonly<Workbench>): void {
  let earlierErrors: number;

  useAgents(ui, ({ workspace }) => {
    earlierErrors = ui.errors.length;
    const said = Array.from({ length: 300 }, (_, at) => [
      update.user(`Question ${at}`, `u${at}`),
      update.agent(answerOf(at), `a${at}`),
    ]).flat();
    const session = { sessionId: 's1', cwd: workspace, title: 'Haystack' };
    const scenario = {
      sessions: [{ ...session, updatedAt: '2026-03-01T12:00:00Z' }],
      replays: { s1: [{ updates: said }, { result: {} }] },
    };
    return { search: { title: 'A', ...fakeAgent(scenario) } };
  });

  it('finds words as they are typed, and lands on the entry that says them', async () => {
    const { page } = ui;
    await treeRow(page, /Haystack/).click();
    await transcriptFrame(page).getByText('Answer 299').waitFor();
    await closeAllEditors(page);

    await runCommand(page, 'ACP Sessions: Search in Conversations…');
    const picker = page.locator('.quick-input-widget');
    await picker.getByPlaceholder(/Words in messages or changes/).pressSequentially('lies he');
    const hit = picker.getByRole('option', { name: /The \*\*needle\*\* lies here/ });
    await hit.waitFor();
    await screenshot(page, 'search-in-conversations');
    assert.match((await hit.textContent()) ?? '', /Haystack · A/);
    assert.equal((await hit.locator('.highlight').allTextContents()).join(''), 'lies he');
    await page.keyboard.press('Enter');

    const found = transcriptFrame(page).locator('[data-index="301"]');
    await found.getByText('lies here').waitFor();
    await found.and(transcriptFrame(page).locator(':focus')).waitFor();
    // Prefixes of words are marked, too.
    await marked(page, ['lies', 'he']);
    await screenshot(page, 'search-hit-words');
    await page.keyboard.press('ArrowDown');
    // The marks stay until the user moves on.
    await marked(page, []);
    assert.deepEqual(ui.errors.slice(earlierErrors), []);
    await closeAllEditors(page);
  });
}
