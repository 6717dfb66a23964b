import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../../scripts/paths.mjs';

/** Keeps what a person would see in `out/screenshots`, and says in which file. */
export async function screenshot(page: Page, name: string, theme?: string): Promise<string> {
  const suffix = theme === undefined ? '' : `-${theme.toLowerCase().replaceAll(' ', '-')}`;
  const file = path.join(projectFolder, 'out', 'screenshots', `${name}${suffix}.png`);
  await page.screenshot({ path: file });
  return file;
}

/** A picture that the README shows as `docs/images/<name>.png`; renewed there when that is asked for. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  const file = await screenshot(page, `readme-${name}`);
  if (process.env['ACP_SESSIONS_KEEP_SCREENSHOT']) {
    await cp(file, path.join(projectFolder, 'docs', 'images', `${name}.png`));
  }
}
