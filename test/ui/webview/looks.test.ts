import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../../scripts/paths.mjs';
import { sample } from './harness/sample';
import { type ThemeName, useTranscripts } from './harness/transcriptPage';

const themes: readonly ThemeName[] = [
  'Dark 2026',
  'Light 2026',
  'Dark Modern',
  'Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
];

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(projectFolder, 'out', 'screenshots', `${name}.png`) });
}

describe('how the transcript looks', () => {
  const open = useTranscripts();

  for (const theme of themes) {
    it(`is kept as a picture in ${theme}`, async () => {
      const { page } = await open({
        entries: sample,
        theme,
        viewport: { width: 960, height: 1500 },
      });
      await page.getByText('All 7 tests pass').waitFor();
      await page.locator('.hljs-keyword').first().waitFor();
      await keep(page, `transcript-${theme.toLowerCase().replaceAll(' ', '-')}`);
    });
  }

  it('is kept as a picture in a narrow tab', async () => {
    const { page } = await open({ entries: sample, viewport: { width: 300, height: 2200 } });
    await page.getByText('All 7 tests pass').waitFor();
    await keep(page, 'transcript-narrow');
  });
});
