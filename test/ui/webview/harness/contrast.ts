import type { Page } from 'playwright-core';
import { contrastOf, type Reading } from './contrastOf';
import themes from './themes.json';
import { clearThemes, type ThemeName } from './transcriptPage';

/** The least contrast of text (WCAG 2.1, 1.4.3), and of large text and signs that are said otherwise, too (1.4.11). */
const least = { ordinary: 4.5, large: 3 };

/**
 * The texts in the page that have too little contrast in one of these themes: what axe's `color-contrast` finds and
 * more, in all themes at once, without drawing any of them.
 */
export async function faintTexts(page: Page, names: readonly ThemeName[]): Promise<string[]> {
  const looks = names.map((name) => {
    // In the others VS Code's own color is too faint.
    const hasPlaceholders = clearThemes.includes(name);
    return { ...themes[name], name, hasPlaceholders };
  });
  const readings = await page.evaluate(readTexts, looks);
  return readings.flatMap((reading) => {
    const contrast = contrastOf(reading);
    return contrast < least[reading.isLarge ? 'large' : 'ordinary']
      ? [`${reading.theme}: contrast ${contrast.toFixed(2)} of ${reading.sample}`]
      : [];
  });
}

interface Look {
  readonly name: string;
  readonly hasPlaceholders: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly classes: string;
}

interface ReadingInTheme extends Reading {
  readonly theme: string;
  readonly isLarge: boolean;
  readonly sample: string;
}

/** Runs in the page: each pair of colors in it once for each theme. */
function readTexts(looks: readonly Look[]): ReadingInTheme[] {
  const { documentElement: root, body } = document;
  const before = { style: root.style.cssText, classes: body.className };
  const dress = (look: Pick<Look, 'variables' | 'classes'>): void => {
    for (const [name, value] of Object.entries(look.variables)) {
      root.style.setProperty(name, value);
    }
    body.className = look.classes;
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) {
        animation.finish();
      }
    }
  };
  const isRead = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('.sr-only, :disabled, [aria-disabled="true"]') === null;
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const elements = new Set<Element>();
  while (texts.nextNode()) {
    const { parentElement: parent, data } = texts.currentNode as Text;
    // Letters, digits or signs; not the icons of a font.
    if (parent && /[^\s\p{Co}]/u.test(data)) {
      elements.add(parent);
    }
  }
  const fields = body.querySelectorAll<HTMLInputElement>('input, textarea, select');
  const all = [...elements, ...fields].filter(isRead);

  const layersIn = (
    known: Map<Element, Reading['layers']>,
    element: Element,
  ): Reading['layers'] => {
    const found = known.get(element);
    if (found) {
      return found;
    }
    const { backgroundColor: ground, opacity } = getComputedStyle(element);
    const behind = element.parentElement ? layersIn(known, element.parentElement) : [];
    const isNothing = /^rgba\(.*, 0\)$/.test(ground) && opacity === '1';
    const layers = isNothing ? behind : [...behind, { ground, opacity: Number(opacity) }];
    known.set(element, layers);
    return layers;
  };
  const readIn = ({ name: theme, hasPlaceholders }: Look): ReadingInTheme[] => {
    const known = new Map<Element, Reading['layers']>();
    const pairs = new Map<string, ReadingInTheme>();
    const add = (element: Element, part?: '::placeholder'): void => {
      const { color, fontSize, fontWeight } = getComputedStyle(element, part);
      const size = Number.parseFloat(fontSize);
      const isSign = element.closest('[aria-hidden="true"]') !== null;
      const isLarge = isSign || size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      const layers = layersIn(known, element);
      const key = JSON.stringify([color, isLarge, layers]);
      if (!pairs.has(key)) {
        const sample =
          `${part ?? ''} ${element.tagName} ${element.className} ${element.textContent.slice(0, 100)}`.trim();
        pairs.set(key, { color, layers, isLarge, theme, sample });
      }
    };
    for (const element of all) {
      add(element);
      if (hasPlaceholders && element.matches(':placeholder-shown')) {
        add(element, '::placeholder');
      }
    }
    return [...pairs.values()];
  };
  const readings = looks.flatMap((look) => {
    root.removeAttribute('style');
    dress(look);
    return readIn(look);
  });
  root.style.cssText = before.style;
  dress({ variables: {}, classes: before.classes });
  return readings;
}
