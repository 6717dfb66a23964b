import type { Page } from 'playwright-core';

declare global {
  var noteShown: ((text: string, at: number) => Promise<void>) | undefined;
}

/** Returns when the user's input arrives in the window; before that, the browser driver looks for where to click. */
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
 * Detects when webviews have laid out a text. Each webview checks by itself on every frame until it finds one of the
 * texts, because the browser driver would distort the measurement.
 */
export class Painting {
  readonly #shown: { readonly text: string; readonly at: number }[] = [];
  #heard: () => void = () => undefined;

  /** Attach it before the window opens; the window's webviews must have their own origin. */
  async listen(page: Page, texts: readonly string[]): Promise<void> {
    await page.exposeBinding('noteShown', (_source, text: string, at: number) => {
      this.#shown.push({ text, at });
      this.#heard();
    });
    await page.addInitScript(lookForOne, texts);
  }

  /** Waits until a webview first shows the text after `since`; returns the time just before it is painted. */
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

/** Runs in the page: VS Code's own page around a webview, which has the extension's page in another frame. */
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
