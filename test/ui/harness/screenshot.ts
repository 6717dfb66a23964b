import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
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

/** Takes the picture that the README shows as `docs/images/<name>.png`; updates that file on request. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  await screenshot(page, `readme-${name}`);
  if (isKept) {
    await cp(fileOf(`readme-${name}`), path.join(projectFolder, 'docs', 'images', `${name}.png`));
  }
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: fileOf(name) });
}

function fileOf(name: string): string {
  return path.join(projectFolder, 'out', 'screenshots', `${name}.png`);
}
