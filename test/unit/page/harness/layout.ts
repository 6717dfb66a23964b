import type { PageClock } from './clock';

/** The height of every row of the list, in pixels. */
const rowHeight = 40;
const listWidth = 900;
/** What is above and below the list. */
const around = 100;

interface Box {
  readonly top: number;
  readonly height: number;
}

/**
 * Stands in for the layout of a page, as far as the page asks for it: the list has a height, shows as many rows of one
 * height as fit, and scrolls. Everything else has no size. Tests of what the page looks like are for a browser.
 */
export class Layout {
  readonly #height: number;
  readonly #observed = new Set<() => void>();
  #scrolled = 0;
  #isToldOfScroll = true;

  constructor(clock: PageClock, viewportHeight: number) {
    this.#height = viewportHeight - around;
    clock.afterFrame = () => {
      for (const look of this.#observed) {
        look();
      }
    };
  }

  install(window: Window & typeof globalThis): void {
    const heightOf = (element: Element): number => this.#boxOf(element).height;
    const widthOf = (element: Element): number => (isList(element) ? listWidth : 0);
    const scrollTop = (element: Element): number =>
      isList(element) ? this.#scrollTop(element) : 0;
    const scroll = (element: Element, top: number): void => {
      if (isList(element)) {
        this.#scroll(element, top);
      }
    };
    const get = (read: (element: Element) => number) => ({
      configurable: true,
      get(this: Element) {
        return read(this);
      },
    });
    const rect = (element: Element): object => rectOf(this.#boxOf(element));
    Object.defineProperties(window.HTMLElement.prototype, {
      offsetHeight: get(heightOf),
      clientHeight: get(heightOf),
      offsetWidth: get(widthOf),
      clientWidth: get(widthOf),
    });
    Object.defineProperties(window.Element.prototype, {
      scrollHeight: get((element) => (isList(element) ? this.#scrollHeight(element) : 0)),
      scrollTop: {
        ...get(scrollTop),
        set(this: Element, top: number) {
          scroll(this, top);
        },
      },
      getBoundingClientRect: {
        value(this: Element) {
          return rect(this);
        },
      },
      scrollTo: {
        value(this: Element, to: ScrollToOptions | number, y = 0) {
          scroll(this, typeof to === 'number' ? y : (to.top ?? scrollTop(this)));
        },
      },
      scrollBy: {
        value(this: Element, _x: number, y: number) {
          scroll(this, scrollTop(this) + y);
        },
      },
      scrollIntoView: { value: () => undefined },
    });
    Object.defineProperty(window.Range.prototype, 'getBoundingClientRect', {
      value(this: Range) {
        const { parentElement } = this.startContainer;
        return parentElement ? rect(parentElement) : rectOf({ top: 0, height: 0 });
      },
    });
    Object.assign(window, {
      ResizeObserver: this.#observer((target) => heightOf(target)),
      IntersectionObserver: this.#observer((target) => this.#isInView(target)),
    });
  }

  /** A class of observers that report a target when it is new, and when what is watched of it is another. */
  #observer(read: (target: Element) => unknown) {
    const observed = this.#observed;
    const boxOf = (target: Element): Box => this.#boxOf(target);
    const view = { top: 0, height: this.#height };
    return class {
      readonly #targets = new Map<Element, unknown>();
      readonly #report: (changes: readonly object[], observer: object) => void;

      constructor(report: (changes: readonly object[], observer: object) => void) {
        this.#report = report;
      }

      readonly #look = (): void => {
        const changed = [...this.#targets].filter(([target, was]) => read(target) !== was);
        for (const [target] of changed) {
          this.#targets.set(target, read(target));
        }
        if (changed.length > 0) {
          this.#report(
            changed.map(([target]) => changeOf(target, boxOf(target), read(target) === true, view)),
            this,
          );
        }
      };

      observe(target: Element): void {
        this.#targets.set(target, undefined);
        observed.add(this.#look);
      }

      unobserve(target: Element): void {
        this.#targets.delete(target);
      }

      disconnect(): void {
        this.#targets.clear();
        observed.delete(this.#look);
      }
    };
  }

  #scrollHeight(list: Element): number {
    const feed = list.firstElementChild as HTMLElement | null;
    return Math.max(this.#height, Number.parseFloat(feed?.style.height ?? '') || 0);
  }

  #scrollTop(list: Element): number {
    return Math.max(0, Math.min(this.#scrolled, this.#scrollHeight(list) - this.#height));
  }

  #scroll(list: Element, top: number): void {
    const before = this.#scrollTop(list);
    this.#scrolled = top;
    this.#scrolled = this.#scrollTop(list);
    const window = list.ownerDocument.defaultView;
    if (this.#scrolled !== before && this.#isToldOfScroll && window) {
      this.#isToldOfScroll = false;
      window.requestAnimationFrame(() => {
        this.#isToldOfScroll = true;
        list.dispatchEvent(new window.Event('scroll'));
      });
    }
  }

  #boxOf(element: Element): Box {
    if (isList(element)) {
      return { top: 0, height: this.#height };
    }
    const row = element.closest<HTMLElement>('.row');
    const list = row?.closest('.scroller');
    if (!row || !list) {
      return { top: 0, height: 0 };
    }
    const [, start = '0'] = /translateY\((-?[\d.]+)px\)/.exec(row.style.transform) ?? [];
    return { top: Number(start) - this.#scrollTop(list), height: rowHeight };
  }

  /** What is outside the list always is. */
  #isInView(element: Element): boolean {
    const { top, height } = this.#boxOf(element);
    return element.isConnected && top + height >= 0 && top <= this.#height;
  }
}

function isList(element: Element): boolean {
  return element.classList.contains('scroller');
}

function rectOf({ top, height }: Box): object {
  return { x: 0, y: top, top, height, bottom: top + height, left: 0, right: 0, width: 0 };
}

function changeOf(target: Element, box: Box, isIntersecting: boolean, view: Box): object {
  const rect = rectOf(box);
  return {
    target,
    isIntersecting,
    intersectionRatio: isIntersecting ? 1 : 0,
    boundingClientRect: rect,
    intersectionRect: isIntersecting ? rect : rectOf({ top: 0, height: 0 }),
    rootBounds: rectOf(view),
    borderBoxSize: [{ blockSize: box.height, inlineSize: 0 }],
    contentRect: rect,
  };
}
