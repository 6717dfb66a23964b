import type { Agent } from '../../../model/agent';
import type { Agents } from '../../../model/agents/agents';
import type { Disposable } from '../../../util/disposable';
import { watchNetwork } from './networkChanges';

interface Services {
  readonly agents: Pick<Agents, 'all' | 'onDidChangeAgent'>;
  /** Milliseconds before each attempt; the last one counts for all further attempts. */
  readonly pauses?: readonly number[];
  readonly watchNetwork?: (changed: () => void) => Disposable;
}

/** A line that is still broken after about a day is left to the user. */
const maxAttempts = 1500;
const usualPauses = [100, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
/** Milliseconds after which a line counts as good; one that breaks earlier was no success. */
const steadyAfter = 10_000;

/** Failures after which another attempt may succeed; any other needs the user. */
const passing: ReadonlySet<string> = new Set(['exited', 'notFound', 'timeout']);

/** A line that works. */
interface Working {
  readonly since: number;
  /** How many attempts it took. */
  readonly attempts: number;
}

/** A line that broke while it was in use. */
interface Broken {
  attempts: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Connects again to agents on other machines whose line broke, with growing pauses and at once when the network may be
 * back. An agent of this
 * machine isn't restarted by itself, because whatever ended it would end it again; a line comes back.
 */
export class FollowRemotes implements Disposable {
  readonly #services: Services;
  readonly #listening: Disposable;
  readonly #working = new WeakMap<Agent, Working>();
  readonly #broken = new Map<Agent, Broken>();
  /** Watches the network while any line is broken. */
  #network: Disposable | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#listening = services.agents.onDidChangeAgent((agent) => this.#changed(agent));
    for (const agent of services.agents.all) {
      this.#changed(agent);
    }
  }

  dispose(): void {
    this.#listening.dispose();
    for (const { timer } of this.#broken.values()) {
      clearTimeout(timer);
    }
    this.#broken.clear();
    this.#network?.dispose();
  }

  #changed(agent: Agent): void {
    if (agent.config.remote === undefined) {
      return;
    }
    const { state } = agent;
    switch (state.kind) {
      case 'ready':
        this.#working.set(agent, {
          since: Date.now(),
          attempts: this.#broken.get(agent)?.attempts ?? 0,
        });
        this.#forget(agent);
        break;
      case 'failed':
        this.#failed(agent, passing.has(state.failure.code));
        break;
      case 'starting':
        // An attempt of the user's takes the place of the next one.
        clearTimeout(this.#broken.get(agent)?.timer);
        break;
      case 'stopped':
        this.#forget(agent);
    }
  }

  #failed(agent: Agent, mayPass: boolean): void {
    const broken = this.#broken.get(agent) ?? this.#breaks(agent);
    if (!mayPass || broken === undefined) {
      this.#forget(agent);
      return;
    }
    this.#broken.set(agent, broken);
    this.#working.delete(agent);
    this.#tryLater(agent, broken);
    const { watchNetwork: watch = watchNetwork } = this.#services;
    this.#network ??= watch(() => this.#tryAll());
  }

  #tryLater(agent: Agent, broken: Broken): void {
    const { pauses = usualPauses } = this.#services;
    if (broken.attempts < maxAttempts) {
      clearTimeout(broken.timer);
      const pause = pauses[Math.min(broken.attempts++, pauses.length - 1)];
      // The agent's state has the failure.
      broken.timer = setTimeout(() => void agent.connect().catch(() => undefined), pause);
    }
  }

  /** Tries all lines again with the first pauses: a network that comes back takes a moment until it leads anywhere. */
  #tryAll(): void {
    for (const [agent, broken] of this.#broken) {
      if (agent.state.kind === 'failed') {
        broken.attempts = 0;
        this.#tryLater(agent, broken);
      }
    }
  }

  /** `undefined` if the line never worked. */
  #breaks(agent: Agent): Broken | undefined {
    const line = this.#working.get(agent);
    if (line === undefined) {
      return undefined;
    }
    const wasSteady = Date.now() - line.since >= steadyAfter;
    return { attempts: wasSteady ? 0 : line.attempts, timer: undefined };
  }

  #forget(agent: Agent): void {
    clearTimeout(this.#broken.get(agent)?.timer);
    this.#broken.delete(agent);
    if (this.#broken.size === 0) {
      this.#network?.dispose();
      this.#network = undefined;
    }
  }
}
