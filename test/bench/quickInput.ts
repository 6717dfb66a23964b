import type { Locator, Page } from 'playwright-core';

/** The first row, or any of them, of the list below the input. */
type Which = 'first' | 'any';

/** Milliseconds from each key to the resulting list; the next key follows only after the list is painted. */
export async function timesOfKeys(page: Page, typed: string): Promise<number[]> {
  const times: number[] = [];
  await inputOf(page).fill('');
  // The previous list is gone, and its work is done.
  await rowsOf(page)
    .first()
    .filter({ hasNotText: typed.charAt(0) })
    .waitFor();
  for (let at = 0; at < typed.length; at++) {
    await page.evaluate(untilPainted);
    times.push(
      await timeToList(page, 'keydown', typed.slice(0, at + 1), 'first', () =>
        page.keyboard.press(typed.charAt(at)),
      ),
    );
  }
  return times;
}

/** Milliseconds from the user's input to a list with a row that has this text. */
export async function timeToList(
  page: Page,
  input: 'keydown' | 'click',
  text: string,
  which: Which,
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate(noteNextList, { input, text, which });
  await act();
  const listed = await page.waitForFunction(() => document.body.dataset['listed']);
  return Number(await listed.jsonValue());
}

export function inputOf(page: Page): Locator {
  return page.locator('.quick-input-widget input[type="text"]');
}

export function rowsOf(page: Page): Locator {
  return page.locator('.quick-input-list .monaco-list-row');
}

/** Runs in the page: resolves once the current layout has been painted. */
function untilPainted(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Runs in the page: records the time from the next input until a row has this text and is laid out. */
function noteNextList(wanted: {
  readonly input: string;
  readonly text: string;
  readonly which: Which;
}): void {
  delete document.body.dataset['listed'];
  let began = 0;
  document.addEventListener(wanted.input, ({ timeStamp }) => (began = timeStamp), {
    capture: true,
    once: true,
  });
  const observer = new MutationObserver(() => {
    const all = [...document.querySelectorAll('.quick-input-list .monaco-list-row .label-name')];
    const looked = wanted.which === 'first' ? all.slice(0, 1) : all;
    if (began > 0 && looked.some(({ textContent }) => textContent.includes(wanted.text))) {
      observer.disconnect();
      document.body.dataset['listed'] = String(performance.now() - began);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
}
