import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import {
  plainMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { deferred } from '../../util/async';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { Attention } from '../../views/attention/attention';
import { mayEndAgent } from './endWork';

/** How long the user waits for an agent before a message appears, in ms. */
const patienceMs = 10_000;

interface Parts {
  readonly sessions: Pick<Sessions, 'all' | 'find' | 'onDidChange'>;
  readonly attention: Pick<Attention, 'isVisible'>;
}

/** Something that the user waits for. */
interface Wait {
  readonly agent: Agent;
  /** Whether the user can see that nothing is happening. */
  readonly isSeen: () => boolean;
  readonly giveUp: () => void;
  /** The agent is being restarted for it, at the user's request. */
  readonly restart: (restarted: Promise<void>) => void;
}

/**
 * Tells the user which agent hasn't answered for a while, and offers to restart it: for new sessions, and for those
 * whose visible tab stays empty. At most one message for each agent at a time.
 */
export class SlowAgents implements Disposable {
  /** Calls back when the user has waited long enough. */
  readonly after: (then: () => void) => Disposable = afterPatience;
  readonly #parts: Parts;
  readonly #store = new DisposableStore();
  readonly #waits = new Set<Wait>();
  readonly #ended = this.#store.add(new Emitter<Wait>());
  readonly #loads = new Map<Session, Disposable>();
  /** The agents with a message on screen. */
  readonly #named = new Set<Agent>();
  readonly #reasons: ((agentId: string) => string | undefined)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store.add(parts.sessions.onDidChange((session) => this.#noteLoad(session)));
  }

  dispose(): void {
    for (const load of this.#loads.values()) {
      load.dispose();
    }
    this.#store.dispose();
  }

  /** `why`: what an agent that has started may be waiting for, as a sentence without a full stop. */
  explain(why: (agentId: string) => string | undefined): void {
    this.#reasons.push(why);
  }

  /**
   * Runs work that needs an agent's answer, and again each time that the user restarts the agent
   * for it.
   */
  async waitFor<T>(agent: Agent, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (;;) {
      const gaveUp = deferred<never>();
      const abort = new AbortController();
      const restarts: Promise<void>[] = [];
      const wait = this.#begin({
        agent,
        isSeen: () => true,
        giveUp: () => {
          gaveUp.reject(new vscode.CancellationError());
          abort.abort();
        },
        restart: (restarted) => restarts.push(restarted),
      });
      try {
        return await Promise.race([work(abort.signal), gaveUp.promise]);
      } catch (error) {
        if (restarts.length === 0) {
          throw error;
        }
        await Promise.all(restarts);
      } finally {
        wait.dispose();
      }
    }
  }

  #noteLoad(session: Session): void {
    const { agent, info } = session;
    const isOpen = this.#parts.sessions.find(agent.id, info.sessionId) === session;
    const isWaiting = isOpen && isSilent(session);
    const load = this.#loads.get(session);
    if (!isWaiting) {
      load?.dispose();
      this.#loads.delete(session);
    } else if (load === undefined) {
      this.#loads.set(session, this.#beginLoad(session));
    }
  }

  #beginLoad(session: Session): Disposable {
    return this.#begin({
      agent: session.agent,
      isSeen: () => isSilent(session) && this.#parts.attention.isVisible(session),
      giveUp: () => session.cancelLoad(),
      // A failed restart is reported by the code that started it, and by the session's tab.
      restart: (restarted) => void restarted.then(() => session.reload()).catch(() => undefined),
    });
  }

  #begin(wait: Wait): Disposable {
    this.#waits.add(wait);
    const timer = this.after(() => void this.#tell(wait.agent));
    return toDisposable(() => {
      timer.dispose();
      this.#waits.delete(wait);
      if (![...this.#waits].some(({ agent }) => agent === wait.agent)) {
        // Its message may still be on screen; the next silence gets its own.
        this.#named.delete(wait.agent);
      }
      this.#ended.fire(wait);
    });
  }

  /** Everything that waits for an agent now, where the user can see it. */
  #waitsFor(agent: Agent): readonly Wait[] {
    return [...this.#waits].filter((wait) => wait.agent === agent && wait.isSeen());
  }

  async #tell(agent: Agent): Promise<void> {
    if (this.#named.has(agent) || this.#waitsFor(agent).length === 0) {
      return;
    }
    this.#named.add(agent);
    try {
      const restart = l10n.t('Restart Agent');
      // Restarting would only begin the download again.
      const stop = l10n.t('Stop Agent');
      const way = isFetching(agent) || isWaiting(agent) ? stop : restart;
      const answer = await showWarningMessage(
        [describeSilence(agent), ...this.#why(agent)].join(' '),
        way,
        l10n.t('Wait'),
      );
      if (answer === restart) {
        await this.#restart(agent);
      } else if (answer === stop) {
        await agent.current.stop();
      } else if (answer !== undefined) {
        await this.#showWaiting(agent);
      }
    } finally {
      this.#named.delete(agent);
    }
  }

  #why({ id, state }: Agent): readonly string[] {
    const reasons = state.kind === 'starting' ? [] : this.#reasons.map((reason) => reason(id));
    return reasons.filter((reason) => reason !== undefined).map((reason) => `${reason}.`);
  }

  async #restart(agent: Agent): Promise<void> {
    const isWanted = await mayEndAgent(this.#parts.sessions, agent, l10n.t('Restart'));
    const waits = this.#waitsFor(agent);
    if (isWanted && waits.length > 0) {
      const restarted = agent.restart();
      for (const { restart } of waits) {
        restart(restarted);
      }
      // The waiting operations report the result.
      await restarted.catch(() => undefined);
    } else if (isWanted) {
      const title = cleanText(agent.title, 60);
      void showInformationMessage(
        l10n.t('{0} wasn’t restarted, because nothing is waiting for it any more.', title),
      );
    }
  }

  /** Offers to give up, until everything that waits now has been answered or given up. */
  async #showWaiting(agent: Agent): Promise<void> {
    const waits = new Set(this.#waitsFor(agent));
    if (waits.size === 0) {
      return;
    }
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: plainMessage(l10n.t('Waiting for {0}…', cleanText(agent.title, 60))),
      cancellable: true,
    };
    await vscode.window.withProgress(options, async (_, token) => {
      const done = deferred<undefined>();
      const store = new DisposableStore();
      store.add(
        this.#ended.event((wait) => {
          if (waits.delete(wait) && waits.size === 0) {
            done.resolve(undefined);
          }
        }),
      );
      store.add(
        token.onCancellationRequested(() => {
          for (const wait of waits) {
            wait.giveUp();
          }
        }),
      );
      await done.promise;
      store.dispose();
    });
  }
}

/** Whether nothing has arrived since the agent was asked, so that the session's tab is still empty. */
function isSilent({ phase }: Session): boolean {
  return phase.kind === 'loading' && phase.received === 0;
}

function isFetching({ state }: Agent): boolean {
  return state.kind === 'starting' && state.fetches === true;
}

function isWaiting({ state }: Agent): boolean {
  return state.kind === 'starting' && state.waits === true;
}

function describeSilence(agent: Agent): string {
  const title = cleanText(agent.title, 60);
  if (isFetching(agent)) {
    return l10n.t(
      'The program of {0} is being downloaded, which can take some minutes the first time.',
      title,
    );
  }
  if (isWaiting(agent)) {
    return l10n.t(
      '{0} starts once another start, in this or another window, has downloaded the same program.',
      title,
    );
  }
  return agent.state.kind === 'starting'
    ? l10n.t(
        '{0} is still starting. A first start can take long: the agent may have to be downloaded.',
        title,
      )
    : l10n.t('{0} hasn’t answered yet. It may be busy or stuck.', title);
}

function afterPatience(then: () => void): Disposable {
  const timer = setTimeout(then, patienceMs);
  return toDisposable(() => clearTimeout(timer));
}
