import type { ToGlance } from '../../shared/glance/glance';
import type { Disposable } from '../../util/disposable';
import { type Glanced, shownItems } from './glanceItems';
import { sameRequests } from './sameRequests';

/** Changes within this time, in ms, are shown together. */
const soon = 100;
/** How often what running sessions do and say is looked at, in ms; a faster change can't be read. */
const lookInterval = 500;

/**
 * Tells the page what to show. Nothing is computed while there is no page or nothing has changed. What a session does
 * and says is looked at twice a second while one runs, so that an update costs nothing here, however many there are.
 */
export class GlanceFeed implements Disposable {
  readonly #look: () => readonly Glanced[];
  readonly #lookBeside: () => Pick<ToGlance, 'tasks' | 'away'>;
  readonly #post: (message: ToGlance) => void;
  #all: readonly Glanced[] = [];
  /** What the page shows, as JSON. */
  #shown: string | undefined;
  #isLive = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    look: () => readonly Glanced[],
    lookBeside: () => Pick<ToGlance, 'tasks' | 'away'>,
    post: (message: ToGlance) => void,
  ) {
    this.#look = look;
    this.#lookBeside = lookBeside;
    this.#post = post;
  }

  /** The sessions, as the page knows them. */
  get all(): readonly Glanced[] {
    return this.#all;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** The page has loaded, and shows nothing yet. */
  ready(): void {
    this.stop();
    this.#isLive = true;
    this.#show();
  }

  /** The page is gone or hidden. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isLive = false;
    this.#shown = undefined;
  }

  /** Something may have changed; may be called at any rate. */
  changed(): void {
    this.#lookIn(soon);
  }

  dispose(): void {
    this.stop();
  }

  /** A look that is due already isn't put off. */
  #lookIn(time: number): void {
    if (this.#isLive) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#show();
      }, time);
    }
  }

  #show(): void {
    this.#all = this.#look();
    const message: ToGlance = {
      type: 'items',
      ...shownItems(this.#all),
      same: sameRequests(this.#all),
      ...this.#lookBeside(),
    };
    const text = JSON.stringify(message);
    if (text !== this.#shown) {
      this.#shown = text;
      this.#post(message);
    }
    if (message.items.some(({ group, canStop }) => group === 'running' && canStop)) {
      this.#lookIn(lookInterval);
    }
  }
}
