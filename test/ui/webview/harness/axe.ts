import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

interface Axe {
  readonly run: (options: { readonly runOnly?: readonly string[] }) => Promise<AxeResults>;
}

/**
 * The violations that axe finds in the current page; only those of colors if the rest was checked in another theme.
 */
export async function violations(page: Page, where: 'all' | 'colours' = 'all'): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) {
    const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    await page.evaluate(await readFile(file, 'utf8'));
  }
  const results = await page.evaluate(
    (options) => (globalThis as unknown as { axe: Axe }).axe.run(options),
    where === 'all' ? {} : { runOnly: ['color-contrast'] },
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}
