import { createHash } from 'node:crypto';
import { getKey } from '../../../model/list/sessionInfo';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { getRef } from '../../../shared/sessionRef';
import type { TurnFacts } from '../../../shared/transcript/entries';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import type { UsageFiles } from './usageFiles';
import { type Cost, isAmount, noCounts, type UsageCounts, type UsageLine } from './usageLine';

/** Minimum time between two lines of a session, in ms: an agent can begin turns without end. */
const usualPause = 10_000;

export interface UsageCounterOptions {
  readonly sessions: Pick<Sessions, 'onDidChange' | 'onDidHappen' | 'find'>;
  readonly files: Pick<UsageFiles, 'add' | 'findTotal'>;
  readonly pauseMs?: number;
}

/** What of a session isn't written yet, and from where its cost is counted. */
interface Counted {
  readonly place: Pick<UsageLine, 'agent' | 'folder' | 'session'>;
  counts: UsageCounts;
  cost: number;
  /** The total up to which the cost is counted; without a currency, it is that of a new session. */
  total: { readonly amount: number; readonly currency?: string } | undefined;
  /** What the agent has said last. */
  said: Cost | undefined;
  /** Looks for the total of an earlier window. */
  finding: Promise<void> | undefined;
  hasNews: boolean;
  writtenAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Counts what the turns of this window use. The cost that an agent tells is the session's up to now, so that only what it
 * grows by counts; of a session from before, that is known from an earlier window, or from what the agent replays.
 */
export class UsageCounter implements Disposable {
  readonly #options: UsageCounterOptions;
  readonly #store = new DisposableStore();
  readonly #added = this.#store.add(new Emitter<void>());
  readonly onDidAdd = this.#added.event;
  readonly #sessions = new Map<Session, Counted>();
  readonly #writing = new Set<Promise<void>>();

  constructor(options: UsageCounterOptions) {
    this.#options = options;
    const { sessions } = options;
    this.#store.add(sessions.onDidChange((session) => this.#noteCost(session)));
    this.#store.add(
      sessions.onDidHappen(({ session, turn }) => {
        if (turn !== undefined) {
          this.#noteTurn(session, turn);
        }
      }),
    );
  }

  /** Writes what isn't written yet. Never rejects. */
  async flush(): Promise<void> {
    for (const counted of this.#sessions.values()) {
      this.#write(counted);
    }
    await Promise.all(this.#writing);
  }

  dispose(): void {
    for (const { timer } of this.#sessions.values()) {
      clearTimeout(timer);
    }
    this.#store.dispose();
  }

  #of(session: Session): Counted {
    let counted = this.#sessions.get(session);
    if (counted === undefined) {
      const ref = getRef(session);
      const digest = createHash('sha256').update(getKey(ref)).digest('base64url').slice(0, 16);
      counted = {
        place: { agent: ref.agentId, folder: session.info.cwd, session: digest },
        ...{ counts: noCounts, cost: 0, hasNews: false, writtenAt: 0 },
        ...{ total: undefined, said: undefined, finding: undefined, timer: undefined },
      };
      this.#sessions.set(session, counted);
    }
    return counted;
  }

  #noteTurn(session: Session, { began, ended = began, usage }: TurnFacts): void {
    const counted = this.#of(session);
    const { counts } = counted;
    counted.counts = {
      turns: counts.turns + 1,
      ms: counts.ms + Math.max(0, ended - began),
      input: counts.input + (usage?.input ?? 0),
      output: counts.output + (usage?.output ?? 0),
      thought: counts.thought + (usage?.thought ?? 0),
      cachedRead: counts.cachedRead + (usage?.cachedRead ?? 0),
      cachedWrite: counts.cachedWrite + (usage?.cachedWrite ?? 0),
    };
    counted.hasNews = true;
    this.#writeSoon(counted);
  }

  #noteCost(session: Session): void {
    const { agent, info, facts, isLive } = session;
    if (this.#options.sessions.find(agent.id, info.sessionId) !== session) {
      // It is closed.
      const counted = this.#sessions.get(session);
      this.#sessions.delete(session);
      if (counted !== undefined) {
        this.#write(counted);
      }
      return;
    }
    const cost = facts.usage?.cost;
    if (session.unprompted !== undefined) {
      this.#of(session).total ??= { amount: 0 };
    }
    // An agent that couldn't count says 0.
    if (cost === undefined || cost.amount === 0 || !isAmount(cost.amount)) {
      return;
    }
    const counted = this.#of(session);
    if (cost !== counted.said) {
      counted.said = cost;
      if (!isLive) {
        // It is replayed.
        counted.total = cost;
      } else if (counted.total === undefined) {
        counted.finding ??= this.#findTotal(counted);
      } else {
        count(counted, cost);
      }
    }
  }

  async #findTotal(counted: Counted): Promise<void> {
    const found = await this.#options.files.findTotal(counted.place.session);
    counted.finding = undefined;
    // Without one, nobody knows what of it is new.
    counted.total ??= found ?? counted.said;
    if (counted.said !== undefined) {
      count(counted, counted.said);
    }
  }

  #writeSoon(counted: Counted): void {
    const { pauseMs = usualPause } = this.#options;
    const ms = counted.writtenAt + pauseMs - Date.now();
    if (ms <= 0) {
      this.#write(counted);
    } else if (counted.timer === undefined) {
      counted.timer = setTimeout(() => this.#write(counted), ms);
      // The timer must not keep the process alive.
      counted.timer.unref();
    }
  }

  #write(counted: Counted): void {
    clearTimeout(counted.timer);
    counted.timer = undefined;
    counted.writtenAt = Date.now();
    const writing = this.#writeNews(counted).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async #writeNews(counted: Counted): Promise<void> {
    await counted.finding;
    if (!counted.hasNews) {
      return;
    }
    const { place, counts, cost, total } = counted;
    const told = total?.currency !== undefined && { total: total.amount, currency: total.currency };
    counted.hasNews = false;
    counted.counts = noCounts;
    counted.cost = 0;
    await this.#options.files.add({ at: Date.now(), ...place, ...counts, cost, ...told });
    this.#added.fire();
  }
}

/** Counts what the session has cost since; less than before means that its agent has begun anew. */
function count(counted: Counted, { amount, currency }: Cost): void {
  const { total } = counted;
  const isSame = total?.currency === undefined || total.currency === currency;
  if (total !== undefined && isSame && total.amount !== amount) {
    counted.cost += amount > total.amount ? amount - total.amount : amount;
  }
  counted.hasNews ||= total?.amount !== amount || !isSame;
  counted.total = { amount, currency };
}
