import type { Page } from 'playwright-core';

declare global {
  var noteShown: ((text: string, at: number) => Promise<void>) | undefined;
}

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
 * Knows when webviews have laid a text out. Each looks by itself, once a frame, from its beginning until it has one
 * of the texts: the browser's driver would take part of what is measured.
 */
export class Painting {
  readonly #shown: { readonly text: string; readonly at: number }[] = [];
  #heard: () => void = () => undefined;

  /** For a window that is about to open, whose webviews are in a place of their own. */
  async listen(page: Page, texts: readonly string[]): Promise<void> {
    await page.exposeBinding('noteShown', (_source, text: string, at: number) => {
      this.#shown.push({ text, at });
      this.#heard();
    });
    await page.addInitScript(lookForOne, texts);
  }

  /** Waits until a webview shows the text for the first time since then; returns when, right before that is painted. */
  async shownSince(since: number, text: string): Promise<number> {
    for (;;) {
      const found = this.#shown.find((shown) => shown.text === text && shown.at >= since);
      if (found !== undefined) {
        return found.at;
      }
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }
}

/** In the page: VS Code's own around a webview, in which the extension's page is another frame. */
function lookForOne(texts: readonly string[]): void {
  if (!location.hostname.endsWith('.localhost') || !location.pathname.endsWith('/index.html')) {
    return;
  }
  const look = (): void => {
    const frame = document.querySelector<HTMLIFrameElement>('#active-frame');
    const inside = frame?.contentDocument?.body.textContent ?? '';
    const text = texts.find((wanted) => inside.includes(wanted));
    if (text === undefined) {
      requestAnimationFrame(look);
    } else {
      void globalThis.noteShown?.(text, Date.now());
    }
  };
  if (texts.length > 0) {
    look();
  }
}
