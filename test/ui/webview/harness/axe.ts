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
  readonly run: () => Promise<AxeResults>;
}

/** What axe finds, in the page as it is. */
export async function violations(page: Page): Promise<string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(file, 'utf8'));
  const results = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}
