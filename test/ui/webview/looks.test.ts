import { pictureTest, screenshot } from '../harness/screenshot';
import { sample } from './harness/sample';
import { allThemes, setTheme, useTranscripts } from './harness/transcriptPage';

describe('how the transcript looks', () => {
  const open = useTranscripts();

  pictureTest('is kept as a picture in every theme', async () => {
    const plan = sample.find((entry) => entry.kind === 'plan');
    const { page } = await open({
      entries: sample,
      session: { checklist: plan?.kind === 'plan' ? plan.items : [] },
      viewport: { width: 960, height: 1500 },
    });
    await page.getByText('All 7 tests pass').waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    for (const theme of allThemes) {
      await setTheme(page, theme);
      await screenshot(page, 'transcript', theme);
    }
  });

  pictureTest('is kept as a picture in a narrow tab', async () => {
    const { page } = await open({ entries: sample, viewport: { width: 300, height: 2200 } });
    await page.getByText('All 7 tests pass').waitFor();
    await screenshot(page, 'transcript-narrow');
  });
});
