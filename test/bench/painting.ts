import type { Page } from 'playwright-core';

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

/**
 * Waits until the webview that shows has laid the text out; returns when, right before that is painted.
 * The window looks for it by itself, once a frame: the browser's driver would take part of what is measured.
 */
export function shownAt(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const insideOf = (frame: Element | null | undefined): Document | null | undefined =>
          (frame as HTMLIFrameElement | null | undefined)?.contentDocument;
        const look = (): void => {
          const shows = [...document.querySelectorAll('iframe.webview')].some((webview) => {
            const page = insideOf(insideOf(webview)?.querySelector('#active-frame'));
            return webview.checkVisibility() && page?.body.textContent.includes(wanted);
          });
          if (shows) {
            resolve(Date.now());
          } else {
            requestAnimationFrame(look);
          }
        };
        look();
      }),
    text,
  );
}
