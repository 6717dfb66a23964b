import { execFileSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { projectFolder } from '../../../scripts/paths.mjs';

const isKept = Boolean(process.env['ACP_SESSIONS_KEEP_SCREENSHOT']);
/** Screenshots take time and assert nothing. */
export const screenshotsAreAsked = isKept || Boolean(process.env['ACP_SESSIONS_SCREENSHOTS']);

const secondsPerStep = 2;
const recordingWidth = 1_000;

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

/** Waits until nothing is below the mouse, and the window looks the same twice. */
export async function standStill(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 20, height: 2 };
  await page.mouse.move(width - 20, height - 2);
  let before: Buffer | undefined;
  for (let attempt = 0; attempt < 50; attempt++) {
    const now = await page.screenshot();
    if (before?.equals(now)) break;
    before = now;
    await page.waitForTimeout(250);
  }
}

/** Leaves out what only VS Code in a browser has. */
export async function hideBrowserParts(page: Page): Promise<void> {
  const items = '.statusbar-item:is([aria-label^="Layout:"], [id="status.forwardedPorts"])';
  await page.addStyleTag({ content: `${items}, .menubar { display: none !important }` });
}

/** Pictures of the steps of a test, of which `docs/images/<name>.gif` is made on request. */
export class Recording {
  readonly #name: string;
  readonly #pictures: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  async take(page: Page, step: string): Promise<void> {
    if (screenshotsAreAsked) {
      await standStill(page);
      const name = `${this.#name}-${String(this.#pictures.length + 1).padStart(2, '0')}-${step}`;
      await save(page, name);
      this.#pictures.push(fileOf(name));
    }
  }

  /** Needs FFmpeg, which nothing else of the project does. */
  async keep(): Promise<void> {
    if (isKept) {
      const list = path.join(projectFolder, 'out', 'screenshots', `${this.#name}.txt`);
      const shown = this.#pictures.map((file) => `file '${file}'\nduration ${secondsPerStep}\n`);
      await writeFile(list, shown.join(''));
      const colors =
        'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none:diff_mode=rectangle';
      execFileSync('ffmpeg', [
        ...['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list],
        ...['-vf', `scale=${recordingWidth}:-1:flags=lanczos,${colors}`],
        path.join(projectFolder, 'docs', 'images', `${this.#name}.gif`),
      ]);
    }
  }
}

async function save(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  await page.screenshot({ ...options, path: fileOf(name) });
}

function fileOf(name: string): string {
  return path.join(projectFolder, 'out', 'screenshots', `${name}.png`);
}
