import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { runInContext } from 'node:vm';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { DOMWindow, JSDOM } from 'jsdom';
import type { PageClock } from './clock';
import type { RoleOptions, Wanted } from './elements';
import { Locator } from './locator';

/** How long a test waits for something, in milliseconds. */
const patience = 10_000;
/** How much time passes in the page with each look at it. */
const step = 20;

/** A page without a browser, with those of Playwright's calls that need no layout. */
export class Page {
  readonly keyboard = {
    /** Presses a key, such as `a` or `Control+Enter`. */
    press: (key: string): Promise<void> => this.act((user) => user.keyboard(keysOf(key))),
    type: (text: string): Promise<void> =>
      this.act((user) => user.keyboard(text.replace(/[{[]/g, '$&$&'))),
  };
  /** The page's time passes anyway as fast as a test waits; this is for tests of what depends on it. */
  readonly clock = {
    install: ({ time = this.#clock.time }: { readonly time?: number } = {}): void => {
      this.#clock.time = time;
    },
    fastForward: (ms: number): Promise<void> => this.#clock.advance(ms),
    runFor: (ms: number): Promise<void> => this.#clock.advance(ms),
  };
  readonly #dom: JSDOM;
  readonly #clock: PageClock;
  readonly #user: UserEvent;
  readonly #root: Locator;

  constructor(dom: JSDOM, clock: PageClock) {
    this.#dom = dom;
    this.#clock = clock;
    const { document } = dom.window;
    this.#user = userEvent.setup({ document, delay: null, pointerEventsCheck: 0 });
    this.#root = new Locator(this, 'page:', () => [document.documentElement]);
  }

  get window(): DOMWindow {
    return this.#dom.window;
  }

  locator(selector: string, options?: Parameters<Locator['locator']>[1]): Locator {
    return this.#root.locator(selector, options);
  }

  getByRole(role: string, options?: RoleOptions): Locator {
    return this.#root.getByRole(role, options);
  }

  getByText(text: Wanted, options?: { readonly exact?: boolean }): Locator {
    return this.#root.getByText(text, options);
  }

  getByLabel(text: Wanted, options?: { readonly exact?: boolean }): Locator {
    return this.#root.getByLabel(text, options);
  }

  /** Runs a function in the page, to which it must not bring anything along. */
  async evaluate<R, A = undefined>(run: (arg: A) => R, arg?: A): Promise<Awaited<R>> {
    await this.settle();
    return this.run(run, [arg]);
  }

  async waitForFunction<A = undefined>(check: (arg: A) => unknown, arg?: A): Promise<void> {
    const inPage = this.#compile(check);
    await this.until(
      () => Boolean(inPage(arg as A)),
      () => String(check),
    );
  }

  waitForTimeout(ms: number): Promise<void> {
    return this.#clock.advance(ms);
  }

  /** Runs a function before those of the page: the page isn't there before. */
  addInitScript<A>(run: (arg: A) => void, arg: A): Promise<void> {
    this.#compile(run)(structuredClone(arg));
    return Promise.resolve();
  }

  /** Evaluates a function at once. */
  async run<R>(run: (...args: never[]) => R, args: readonly unknown[]): Promise<Awaited<R>> {
    const result = await this.#whileTimePasses(this.#compile(run)(...(args as never[])));
    await this.settle();
    // As from another process, so that it can be compared with objects of the test.
    return typeof result === 'object' ? structuredClone(result) : result;
  }

  /** Lets the user do something, and the page answer it. */
  async act(deed: (user: UserEvent) => unknown): Promise<void> {
    await this.settle();
    await deed(this.#user);
    await this.settle();
  }

  /** Waits for what the page and its host do next, and for a frame of the page. */
  async settle(): Promise<void> {
    await setImmediate();
    await this.#clock.advance(step);
  }

  async until(check: () => boolean, wanted: () => string): Promise<void> {
    const end = Date.now() + patience;
    await setImmediate();
    for (let looks = 0; !check(); looks++) {
      assert.ok(Date.now() < end, `the page was to come to this: ${wanted()}`);
      await this.settle();
      if (looks > 2) {
        // What the host does takes real time; what takes long isn't looked at all the time.
        await setTimeout(looks < 50 ? 1 : step);
      }
    }
  }

  /** What comes of it may depend on the page's timers. */
  async #whileTimePasses<R>(result: R): Promise<Awaited<R>> {
    let isDone = false;
    const done = Promise.resolve(result).finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    await this.until(
      () => isDone,
      () => 'the end of what a test runs in it',
    );
    return await done;
  }

  /** Makes a function of the test one of the page, with its globals. */
  #compile<F extends (...args: never[]) => unknown>(run: F): F {
    return runInContext(`(${String(run)})`, this.#dom.getInternalVMContext()) as F;
  }
}

/** A key with modifiers, as `user-event` names them. */
function keysOf(key: string): string {
  const names = key.split(/(?<=.)\+/);
  const last = names.at(-1) ?? '';
  const held = names.slice(0, -1);
  const pressed = last.length === 1 ? last.replace(/[{[]/, '$&$&') : `{${last}}`;
  return [...held.map((each) => `{${each}>}`), pressed, ...held.map((each) => `{/${each}}`)].join(
    '',
  );
}
