import * as l10n from '@vscode/l10n';
import type { ToWebview } from '../../../shared/transcript/webviewMessages';
import type { Disposable } from '../../../util/disposable';
import { bounded } from '../rows/drawTexts';

type NoticeMessage = Extract<ToWebview, { type: 'notice' }>;
type Notice = Pick<NoticeMessage, 'severity' | 'title' | 'description'>;

/** Maximum number of different notices that wait for a webview; further ones are only counted. */
const maxWaitingNotices = 20;
/** Pause between two batches while notices keep coming, in ms. */
const pause = 500;
const maxTitle = 500;
const maxDescription = 2000;

/**
 * Passes an agent's notices to a webview, immediately while it is there (NO-3). Notices that arrive faster than
 * it takes them, or while it isn't there, are kept in bounded form: equal ones are merged, and beyond a limit
 * they are only counted.
 */
export class NoticeFeed implements Disposable {
  readonly #agent: { readonly title: string };
  readonly #post: (message: NoticeMessage) => PromiseLike<unknown>;
  /** The notices by content, in the order of first arrival, with the number of occurrences. */
  #waiting = new Map<string, { readonly notice: Notice; readonly count: number }>();
  #others = 0;
  #isLive = false;
  /** The batch in flight, or in the pause after it: a new object for each. */
  #sending: object | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    agent: { readonly title: string },
    post: (message: NoticeMessage) => PromiseLike<unknown>,
  ) {
    this.#agent = agent;
    this.#post = post;
  }

  /** The webview is ready. */
  start(): void {
    this.stop();
    this.#isLive = true;
    this.#send();
  }

  /** The webview is gone. */
  stop(): void {
    this.#isLive = false;
    this.#sending = undefined;
    clearTimeout(this.#timer);
  }

  add({ severity, title, description }: Notice): void {
    const notice = {
      severity: severity.slice(0, maxTitle),
      title: bounded(title, maxTitle),
      ...(description !== undefined && { description: bounded(description, maxDescription) }),
    };
    const key = JSON.stringify(notice);
    const known = this.#waiting.get(key);
    if (known !== undefined || this.#waiting.size < maxWaitingNotices) {
      this.#waiting.set(key, { notice, count: (known?.count ?? 0) + 1 });
    } else {
      this.#others += 1;
    }
    this.#send();
  }

  dispose(): void {
    this.stop();
  }

  #send(): void {
    if (!this.#isLive || this.#sending !== undefined || this.#waiting.size === 0) {
      return;
    }
    const sending = {};
    this.#sending = sending;
    const sent = (): void => {
      if (this.#sending === sending) {
        this.#timer = setTimeout(() => {
          this.#sending = undefined;
          this.#send();
        }, pause);
      }
    };
    Promise.all(this.#take().map((message) => this.#post(message))).then(sent, sent);
  }

  #take(): readonly NoticeMessage[] {
    const messages = [...this.#waiting.values()].map(
      ({ notice, count }): NoticeMessage => ({
        type: 'notice',
        ...notice,
        title: count === 1 ? notice.title : l10n.t('{0} ({1} times)', notice.title, count),
      }),
    );
    if (this.#others > 0) {
      const title = l10n.t(
        '{0} sent {1} more notices that aren’t shown',
        this.#agent.title,
        this.#others,
      );
      messages.push({ type: 'notice', severity: 'warning', title });
    }
    this.#waiting = new Map();
    this.#others = 0;
    return messages;
  }
}
