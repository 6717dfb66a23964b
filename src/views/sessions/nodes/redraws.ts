import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import type { SessionsNode } from './nodes';

/** Changes within this time, in ms, are drawn together: one frame. */
const frame = 16;

/**
 * VS Code puts a change off until none has followed it for 200 ms, except for the first one: it would draw nothing while
 * an agent keeps changing its list more often than that (https://github.com/microsoft/vscode/pull/88051). After
 * `maxRushMs`, changes wait for `pause`; both in ms.
 */
const maxRushMs = 1000;
const pause = 205;

/** Tells VS Code which nodes to redraw: at most once a frame, and seldom enough that it does. */
export class Redraws implements Disposable {
  readonly #read: () => void;
  readonly #store = new DisposableStore();
  readonly #due = this.#store.add(new Emitter<readonly SessionsNode[] | undefined>());
  readonly #nodes = new Set<SessionsNode | undefined>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The times of the first of the changes that followed one another, and of the last, in ms since the epoch. */
  #rushBegan = 0;
  #toldAt = 0;

  /** The nodes to redraw with their descendants; `undefined`: all. */
  readonly onDue = this.#due.event;

  /** `read`: adds, at the last moment, what has changed by then. */
  constructor(read: () => void) {
    this.#read = read;
  }

  add(...nodes: readonly (SessionsNode | undefined)[]): void {
    for (const node of nodes) {
      this.#nodes.add(node);
    }
  }

  schedule(): void {
    const isRush = this.#isRush;
    this.#timer ??= setTimeout(() => this.#flush(isRush), isRush ? pause : frame);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  /** Whether changes have followed one another for so long that VS Code has drawn none of them. */
  get #isRush(): boolean {
    return this.#toldAt - this.#rushBegan > maxRushMs && Date.now() - this.#toldAt < pause;
  }

  #flush(isRush: boolean): void {
    this.#timer = undefined;
    this.#read();
    const nodes = new Set(this.#nodes);
    this.#nodes.clear();
    if (nodes.size === 0) {
      return;
    }
    const now = Date.now();
    if (now - this.#toldAt > 2 * pause) {
      this.#rushBegan = now;
    }
    this.#toldAt = now;
    // In a rush, VS Code may still be reading the tree: a change of one row could be overtaken by what it reads.
    if (nodes.has(undefined) || isRush) {
      this.#due.fire(undefined);
    } else {
      this.#due.fire([...nodes].filter((node) => node !== undefined));
    }
  }
}
