import type { Page, ViewportSize } from 'playwright-core';
import { sampleWorkspace } from '../harness/sample';
import { useWorkbench, type Workbench } from '../harness/workbench';

/**
 * A window on the sample project with the demo agent, which has no sessions at first. Several suites share it, because
 * its start takes longer than most tests.
 */
export function useSampleWorkbench(
  name: string,
  protocol: '1' | '2' | 'auto',
): Readonly<Workbench> {
  return useWorkbench(name, async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    settings: {
      'acpSessions.protocol': protocol,
      'window.autoDetectColorScheme': true,
      'workbench.preferredDarkColorTheme': 'Default Dark Modern',
      'workbench.preferredLightColorTheme': 'Default Light Modern',
    },
  }));
}

/** Gives such a window a size and a theme. */
export async function showAs(
  page: Page,
  theme: 'dark' | 'light',
  size: ViewportSize,
): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme });
  await page
    .locator(theme === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.vs')
    .waitFor();
}
