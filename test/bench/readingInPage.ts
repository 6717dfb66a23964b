/** Functions that run in the transcript's page. Each is sent there separately. */

/** Enters a text into the find field; returns the ms until the first match was marked and all matches were counted. */
export function searchFor(
  _list: Element,
  text: string,
): Promise<{ readonly first: number; readonly all: number; readonly label: string }> {
  const input = document.querySelector<HTMLInputElement>('.find input');
  const label = (): string => document.querySelector('.find-count')?.textContent ?? '';
  const type = (value: string): void => {
    if (input) {
      input.value = value;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  };
  return new Promise((resolve) => {
    let begun: number | undefined;
    let first: number | undefined;
    type('');
    const look = (): void => {
      const marked = (CSS.highlights.get('find-current')?.size ?? 0) > 0;
      if (begun === undefined) {
        if (label() === '' && !marked) {
          begun = performance.now();
          type(text);
        }
      } else {
        first ??= marked ? performance.now() - begun : undefined;
        if (first !== undefined && /^\d/.test(label())) {
          resolve({ first, all: performance.now() - begun, label: label() });
          return;
        }
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

/**
 * Scrolls to a fraction of the whole; returns the ms until the viewport has no gaps, one frame after it was rendered.
 */
export function jumpTo(list: Element, part: number): Promise<number> {
  const isWhole = (): boolean => {
    const view = list.getBoundingClientRect();
    let seen = 0;
    for (const row of list.querySelectorAll('.row')) {
      const { top, bottom } = row.getBoundingClientRect();
      if (bottom > view.top && top < view.bottom) {
        if (row.getAttribute('aria-busy') === 'true') {
          return false;
        }
        seen += Math.min(bottom, view.bottom) - Math.max(top, view.top);
      }
    }
    return seen > view.height / 2;
  };
  return new Promise((resolve) => {
    const begun = performance.now();
    list.scrollTop = (list.scrollHeight - list.clientHeight) * part;
    const look = (): void => {
      if (isWhole()) {
        requestAnimationFrame(() => resolve(performance.now() - begun));
      } else {
        requestAnimationFrame(look);
      }
    };
    requestAnimationFrame(look);
  });
}

/** Scrolls down evenly; returns each frame's ms, and the longest time in which the viewport had a gap. */
export function scrollAlong(
  list: Element,
  { speed, ms }: { readonly speed: number; readonly ms: number },
): Promise<{ readonly frames: readonly number[]; readonly longestBlank: number }> {
  const isBlank = (): boolean => {
    const view = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll('.row')];
    const seen = rows.filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > view.top && top < view.bottom;
    });
    return seen.length === 0 || seen.some((row) => row.getAttribute('aria-busy') === 'true');
  };
  return new Promise((resolve) => {
    const frames: number[] = [];
    let longestBlank = 0;
    let blankSince: number | undefined;
    let begun: number | undefined;
    let last = 0;
    // `now` is the frame's own time, so that it doesn't matter when in the frame the script runs.
    const step = (now: number): void => {
      if (begun === undefined) {
        begun = now;
        last = now;
      }
      frames.push(now - last);
      list.scrollTop += (speed * (now - last)) / 1000;
      last = now;
      blankSince = isBlank() ? (blankSince ?? now) : undefined;
      longestBlank = Math.max(longestBlank, blankSince === undefined ? 0 : now - blankSince);
      if (now - begun < ms) {
        requestAnimationFrame(step);
      } else {
        resolve({ frames: frames.slice(1), longestBlank });
      }
    };
    requestAnimationFrame(step);
  });
}
