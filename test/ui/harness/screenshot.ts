import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../../scripts/paths.mjs';

/** Saves a screenshot to `out/screenshots` and returns its path. */
export async function screenshot(page: Page, name: string, theme?: string): Promise<string> {
  const suffix = theme === undefined ? '' : `-${theme.toLowerCase().replaceAll(' ', '-')}`;
  const file = path.join(projectFolder, 'out', 'screenshots', `${name}${suffix}.png`);
  await page.screenshot({ path: file });
  return file;
}

/** Takes the picture that the README shows as `docs/images/<name>.png`; updates that file on request. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  const file = await screenshot(page, `readme-${name}`);
  if (process.env['ACP_SESSIONS_KEEP_SCREENSHOT']) {
    await cp(file, path.join(projectFolder, 'docs', 'images', `${name}.png`));
  }
}
