import assert from 'node:assert/strict';
import type { UserEvent } from '@testing-library/user-event';
import type { DOMWindow } from 'jsdom';
import {
  byLabel,
  byRole,
  byText,
  hasText,
  innerTextOf,
  isDisabled,
  isHidden,
  type RoleOptions,
  type Wanted,
} from './elements';

/** What a locator needs of its page. */
interface LocatedPage {
  readonly window: DOMWindow;
  readonly keyboard: { press(key: string): Promise<void> };
  act(deed: (user: UserEvent) => unknown): Promise<void>;
  run<R>(run: (...args: never[]) => R, args: readonly unknown[]): Promise<Awaited<R>>;
  settle(): Promise<void>;
  until(check: () => boolean, wanted: () => string): Promise<void>;
}

interface FilterOptions {
  readonly has?: Locator;
  readonly hasText?: Wanted;
}

interface TextOptions {
  readonly exact?: boolean;
}

interface WaitOptions {
  readonly state?: 'attached' | 'detached' | 'visible' | 'hidden';
}

/** Elements of a page that are looked for anew each time, with the calls that Playwright's locators have. */
export class Locator {
  readonly #page: LocatedPage;
  readonly #name: string;
  readonly #find: () => readonly Element[];

  constructor(page: LocatedPage, name: string, find: () => readonly Element[]) {
    this.#page = page;
    this.#name = name;
    this.#find = find;
  }

  locator(selector: string, options: FilterOptions = {}): Locator {
    return this.#within(selector, (root) => [...root.querySelectorAll(selector)]).filter(options);
  }

  getByRole(role: string, options: RoleOptions = {}): Locator {
    const name = `${role} ${String(options.name ?? '')}`;
    return this.#within(name, (root) => byRole(root, role, options));
  }

  getByText(text: Wanted, { exact }: TextOptions = {}): Locator {
    return this.#within(`text ${text}`, (root) => byText(root, text, exact));
  }

  getByLabel(text: Wanted, { exact }: TextOptions = {}): Locator {
    return this.#within(`label ${text}`, (root) => byLabel(root, text, exact));
  }

  filter({ has, hasText: text }: FilterOptions): Locator {
    if (has === undefined && text === undefined) {
      return this;
    }
    return this.#narrowed(`with ${String(text ?? 'others within')}`, (all) => {
      const inner = has ? has.#find() : undefined;
      return all.filter((element) => {
        const isAround = inner?.some((each) => element !== each && element.contains(each)) ?? true;
        return isAround && (text === undefined || hasText(element, text));
      });
    });
  }

  and(other: Locator): Locator {
    return this.#narrowed(`and ${other.#name}`, (all) => {
      const others = new Set(other.#find());
      return all.filter((element) => others.has(element));
    });
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return this.nth(-1);
  }

  nth(at: number): Locator {
    return this.#narrowed(`number ${at}`, (all) => all.slice(at, at + 1 || undefined));
  }

  async all(): Promise<Locator[]> {
    return Array.from({ length: await this.count() }, (_, at) => this.nth(at));
  }

  async waitFor({ state = 'visible' }: WaitOptions = {}): Promise<void> {
    const isGone = state === 'detached' || state === 'hidden';
    const isShown = (element: Element): boolean => state === 'attached' || !isHidden(element);
    await this.#page.until(
      () => {
        const found = state === 'detached' ? this.#find() : this.#find().filter(isShown);
        return isGone ? found.length === 0 : this.#only(found) !== undefined;
      },
      () => `${this.#name} to be ${state}`,
    );
  }

  async count(): Promise<number> {
    await this.#page.settle();
    return this.#find().length;
  }

  async click(): Promise<void> {
    const target = await this.#usable();
    await this.#page.act((user) => user.click(target));
  }

  async dblclick(): Promise<void> {
    const target = await this.#usable();
    await this.#page.act((user) => user.dblClick(target));
  }

  async hover(): Promise<void> {
    const target = await this.#one();
    await this.#page.act((user) => user.hover(target));
  }

  async focus(): Promise<void> {
    const target = await this.#one();
    await this.#page.act(() => (target as HTMLElement).focus());
  }

  async press(key: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press(key);
  }

  async fill(text: string): Promise<void> {
    const target = (await this.#usable()) as HTMLInputElement;
    await this.#page.act(() => {
      const { InputEvent } = this.#page.window;
      target.focus();
      target.value = text;
      target.setSelectionRange(text.length, text.length);
      target.dispatchEvent(
        new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }),
      );
    });
  }

  async check(): Promise<void> {
    await this.#setChecked(true);
  }

  async uncheck(): Promise<void> {
    await this.#setChecked(false);
  }

  async selectOption(value: string): Promise<void> {
    const target = await this.#usable();
    await this.#page.act((user) => user.selectOptions(target, value));
  }

  async dispatchEvent(type: string): Promise<void> {
    const target = await this.#one();
    const { Event } = this.#page.window;
    await this.#page.act(() => {
      target.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    });
  }

  /** Runs a function in the page, to which it must not bring anything along; it knows what kind of element it gets. */
  async evaluate<R>(run: (element: HTMLTextAreaElement) => R): Promise<Awaited<R>> {
    return this.#page.run(run, [await this.#one()]);
  }

  async evaluateAll<R>(run: (elements: HTMLElement[]) => R): Promise<Awaited<R>> {
    await this.#page.settle();
    return this.#page.run(run, [[...this.#find()]]);
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.#one()).getAttribute(name);
  }

  async textContent(): Promise<string | null> {
    return (await this.#one()).textContent;
  }

  async innerText(): Promise<string> {
    return innerTextOf(await this.#one());
  }

  async allTextContents(): Promise<string[]> {
    await this.#page.settle();
    return this.#find().map(({ textContent }) => textContent);
  }

  async allInnerTexts(): Promise<string[]> {
    await this.#page.settle();
    return this.#find().map(innerTextOf);
  }

  async inputValue(): Promise<string> {
    return ((await this.#one()) as HTMLInputElement).value;
  }

  async isChecked(): Promise<boolean> {
    return ((await this.#one()) as HTMLInputElement).checked;
  }

  async isDisabled(): Promise<boolean> {
    return isDisabled(await this.#one());
  }

  async isEditable(): Promise<boolean> {
    const target = await this.#one();
    return !isDisabled(target) && !(target as HTMLInputElement).readOnly;
  }

  async isVisible(): Promise<boolean> {
    await this.#page.settle();
    const found = this.#only(this.#find());
    return found !== undefined && !isHidden(found);
  }

  #within(name: string, find: (root: Element) => Element[]): Locator {
    const all = (): Element[] => {
      const found = this.#find().flatMap((root) => find(root));
      return this.#find().length > 1 ? inOrder([...new Set(found)]) : found;
    };
    return new Locator(this.#page, `${this.#name} ${name}`, all);
  }

  #narrowed(name: string, narrow: (all: readonly Element[]) => readonly Element[]): Locator {
    return new Locator(this.#page, `${this.#name}, ${name}`, () => narrow(this.#find()));
  }

  async #setChecked(wanted: boolean): Promise<void> {
    if ((await this.isChecked()) !== wanted) {
      await this.click();
    }
    assert.equal(await this.isChecked(), wanted);
  }

  /** The only element, once it is there and can be used. */
  async #usable(): Promise<Element> {
    const isUsable = (element: Element | undefined): boolean =>
      element !== undefined && !isHidden(element) && !isDisabled(element);
    await this.#page.until(
      () => isUsable(this.#only(this.#find())),
      () => `${this.#name} to be usable`,
    );
    return this.#one();
  }

  /** The only element, once it is there. */
  async #one(): Promise<Element> {
    await this.#page.settle();
    await this.#page.until(
      () => this.#find().length > 0,
      () => `${this.#name} to be there`,
    );
    return this.#only(this.#find()) as Element;
  }

  #only(found: readonly Element[]): Element | undefined {
    assert.ok(found.length <= 1, `${found.length} elements are ${this.#name}`);
    return found[0];
  }
}

function inOrder(elements: Element[]): Element[] {
  // 4: the second one follows.
  return elements.sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
}
