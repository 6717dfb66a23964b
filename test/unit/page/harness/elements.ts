import { computeAccessibleName } from 'dom-accessibility-api';

/** A text to look for: part of it in any case, or as a whole if `exact`; white space counts as one space. */
export type Wanted = string | RegExp;

/** The elements that have a role by themselves, and what they must match for that. */
const tagsOf: Readonly<Record<string, readonly string[]>> = {
  alert: [],
  article: ['article'],
  button: ['button'],
  checkbox: ['input'],
  combobox: ['select'],
  feed: [],
  group: ['fieldset', 'details'],
  heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  link: ['a'],
  log: [],
  list: ['ul', 'ol'],
  listitem: ['li'],
  meter: ['meter'],
  option: ['option'],
  progressbar: ['progress'],
  region: ['section'],
  status: ['output'],
  switch: [],
  textbox: ['textarea', 'input'],
};

const conditions: Readonly<Record<string, string>> = {
  checkbox: '[type=checkbox]',
  link: '[href]',
  region: '[aria-label], [aria-labelledby]',
  textbox: 'textarea, :not([type]), [type=text], [type=url], [type=email]',
};

export interface RoleOptions {
  readonly name?: Wanted;
  readonly exact?: boolean;
  readonly pressed?: boolean;
  /** The level of a heading. */
  readonly level?: number;
}

/** The elements within `root` with a role, which a screen reader can reach. */
export function byRole(
  root: Element,
  role: string,
  { name, exact = false, pressed, level }: RoleOptions,
): Element[] {
  const tags = tagsOf[role];
  if (tags === undefined) {
    throw new Error(`It isn't known here which elements are a ${role}`);
  }
  const isNamed = name === undefined ? () => true : matcher(name, exact);
  const condition = conditions[role];
  // One by one: a selector for them all takes several times as long.
  return elementsIn(root).filter((element) => {
    const own = element.getAttribute('role');
    const isRole =
      own === null
        ? tags.includes(element.localName) && (!condition || element.matches(condition))
        : own.split(' ').includes(role);
    return (
      isRole &&
      (level === undefined || element.localName === `h${level}`) &&
      (pressed === undefined || element.getAttribute('aria-pressed') === String(pressed)) &&
      !isHidden(element, true) &&
      (name === undefined || isNamed(nameOf(element)))
    );
  });
}

// The collections of this DOM take long to go through.
function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    children.push(child);
  }
  return children;
}

function elementsIn(root: Element): Element[] {
  return childrenOf(root).flatMap((child) => [child, ...elementsIn(child)]);
}

const noStyle = {
  display: 'block',
  visibility: 'visible',
  content: '',
  getPropertyValue: () => '',
};

function nameOf(element: Element): string {
  return computeAccessibleName(element, {
    // There are no style sheets.
    getComputedStyle: () => noStyle as unknown as CSSStyleDeclaration,
    computedStyleSupportsPseudoElements: false,
  });
}

/** Whether an element, or one around it, is hidden without a style sheet; `toReaders`: from screen readers, too. */
export function isHidden(element: Element, toReaders = false): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const { style, hidden } = each as HTMLElement;
    const isOff = hidden || style.display === 'none' || style.visibility === 'hidden';
    if (isOff || (toReaders && each.getAttribute('aria-hidden') === 'true')) {
      return true;
    }
  }
  return false;
}

/** The innermost elements within `root` whose text is or contains the wanted one. */
export function byText(root: Element, wanted: Wanted, exact = false): Element[] {
  const matches = matcher(wanted, exact);
  const found: Element[] = [];
  const visit = (element: Element): void => {
    if (skipped.has(element.tagName)) {
      return;
    }
    const isPruned = typeof wanted === 'string' && !exact;
    const isMatch = matches(textOf(element));
    if (isPruned && !isMatch) {
      return;
    }
    const children = childrenOf(element);
    if (
      isMatch &&
      !children.some((child) => !skipped.has(child.tagName) && matches(textOf(child)))
    ) {
      found.push(element);
    }
    for (const child of children) {
      visit(child);
    }
  };
  visit(root);
  return found;
}

const skipped: ReadonlySet<string> = new Set(['HEAD', 'SCRIPT', 'NOSCRIPT', 'STYLE']);

function textOf(element: Element): string {
  return element.textContent;
}

/** Whether an element's text contains the wanted one. */
export function hasText(element: Element, wanted: Wanted): boolean {
  return matcher(wanted, false)(textOf(element));
}

/** The elements within `root` with this label. */
export function byLabel(root: Element, wanted: Wanted, exact = false): Element[] {
  const matches = matcher(wanted, exact);
  return [
    ...root.querySelectorAll('[aria-label], [aria-labelledby], input, select, textarea'),
  ].filter((element) => labelsOf(element).some(matches));
}

function labelsOf(element: Element): readonly string[] {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  const by = ids.flatMap((id) => element.ownerDocument.getElementById(id) ?? []);
  if (by.length > 0) {
    return by.map(textOf);
  }
  const own = element.getAttribute('aria-label');
  if (own) {
    return [own];
  }
  return [...((element as HTMLInputElement).labels ?? [])].map(textOf);
}

function matcher(wanted: Wanted, exact: boolean): (text: string) => boolean {
  if (typeof wanted !== 'string') {
    return (text) => wanted.test(oneLine(text));
  }
  const whole = oneLine(wanted);
  return exact
    ? (text) => oneLine(text) === whole
    : (text) => oneLine(text).toLowerCase().includes(whole.toLowerCase());
}

function oneLine(text: string): string {
  return text
    .replace(/[\u200b\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether the user can use a control. */
export function isDisabled(element: Element): boolean {
  return (
    element.closest('[aria-disabled=true]') !== null ||
    element.matches(':disabled') ||
    element.closest('fieldset:disabled') !== null
  );
}

const blocks: ReadonlySet<string> = new Set(
  'ARTICLE ASIDE BLOCKQUOTE DIV FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER LI MAIN OL P PRE SECTION UL'.split(
    ' ',
  ),
);

/** The text of an element as it would be copied, as far as that can be known without style sheets. */
export function innerTextOf(element: Element): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeType === 3) {
      parts.push(String(node.textContent).replace(/\s+/g, ' '));
    } else if (node.nodeType === 1 && !isHidden(node as Element)) {
      const isBlock = blocks.has((node as Element).tagName);
      const edge = isBlock ? '\n' : '';
      parts.push((node as Element).tagName === 'BR' ? '\n' : edge);
      for (const child of node.childNodes) {
        visit(child);
      }
      parts.push(edge);
    }
  };
  for (const child of element.childNodes) {
    visit(child);
  }
  return parts
    .join('')
    .replace(/ *\n+ */g, '\n')
    .trim();
}
