import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { projectFolder } from '../../../scripts/paths.mjs';

const isKept = Boolean(process.env['ACP_SESSIONS_KEEP_SCREENSHOT']);
/** Screenshots take time and assert nothing. */
export const screenshotsAreAsked = isKept || Boolean(process.env['ACP_SESSIONS_SCREENSHOTS']);

/** A test that only takes pictures: skipped, and reported so, unless the run was asked for screenshots. */
export function pictureTest(title: string, take: () => Promise<void>): void {
  // Each file has its own `it`.
  (screenshotsAreAsked ? it : it.skip)(title, take);
}

/** Saves a screenshot to `out/screenshots` if the run was asked for screenshots. */
export async function screenshot(page: Page, name: string, theme?: string): Promise<void> {
  if (screenshotsAreAsked) {
    const suffix = theme === undefined ? '' : `-${theme.toLowerCase().replaceAll(' ', '-')}`;
    await save(page, name + suffix);
  }
}

/** Saves a screenshot of what a failed test has left. */
export async function failureScreenshot(page: Page, name: string): Promise<void> {
  await save(page, `${name}-failed`);
}

/** Takes the picture that README.md or docs/guide show as `docs/images/<name>.png`; updates that file on request. */
export async function docsPicture(
  page: Page,
  name: string,
  clip: Pick<PageScreenshotOptions, 'clip'> = {},
): Promise<void> {
  await save(page, `docs-${name}`, clip);
  if (isKept) {
    await cp(fileOf(`docs-${name}`), path.join(projectFolder, 'docs', 'images', `${name}.png`));
  }
}

async function save(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  await page.screenshot({ ...options, path: fileOf(name) });
}

function fileOf(name: string): string {
  return path.join(projectFolder, 'out', 'screenshots', `${name}.png`);
}
