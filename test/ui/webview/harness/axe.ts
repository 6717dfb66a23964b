import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { faintTexts } from './contrast';
import { clearThemes, type ThemeName } from './transcriptPage';

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

interface Axe {
  readonly run: (options: {
    readonly rules: Readonly<Record<string, { readonly enabled: boolean }>>;
    readonly resultTypes: readonly string[];
    readonly preload: boolean;
  }) => Promise<AxeResults>;
}

/** What axe objects to in the current page, and the texts that have too little contrast in one of these themes. */
export async function violations(
  page: Page,
  themes: readonly ThemeName[] = clearThemes,
): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) {
    const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    await page.evaluate(await readFile(file, 'utf8'));
  }
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({
      // Axe sees one theme at a time.
      rules: { 'color-contrast': { enabled: false } },
      resultTypes: ['violations'],
      // The page's policy allows no requests.
      preload: false,
    }),
  );
  const found = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
  return [...found, ...(await faintTexts(page, themes))];
}
