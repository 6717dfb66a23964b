import type { Page } from 'playwright-core';
import { transcriptFrame } from '../ui/harness/window';

/** When what a person does arrives in the window: before that, the browser's driver looks where to click. */
export async function arrivalOf(
  type: 'keydown' | 'mousedown' | 'click',
  page: Page,
  act: () => Promise<void>,
): Promise<number> {
  const arrival = await page.evaluateHandle((name) => {
    const seen = { at: 0 };
    const note = (): void => {
      seen.at = Date.now();
    };
    addEventListener(name, note, { capture: true });
    return seen;
  }, type);
  await act();
  return arrival.evaluate(({ at }) => at);
}

/** Waits until the webview that shows has laid the text out, a frame before it is painted; returns when. */
export async function shownAt(page: Page, text: string): Promise<number> {
  const place = transcriptFrame(page).getByText(text).last();
  // Asked for by itself, the browser's driver waits up to half a second before it looks for a frame again.
  while ((await place.count()) === 0) {
    await page.waitForTimeout(15);
  }
  return place.evaluate(() => Date.now());
}
