import * as l10n from '@vscode/l10n';
import type { Preparation } from '../../../model/session/preparation';
import { cleanText } from '../../../model/text/titles';
import type { SeveralAgents } from '../../../shared/transcript/firstChoices';

/** Maximum number of agents that one prompt goes to: people can't compare more at once. */
export const maxAsked = 4;
const maxNameLength = 60;

/** The agents that the first prompt goes to; the page shows the options of one of them. */
export class AskedAgents {
  #all: ReadonlyMap<string, Preparation>;
  #shown = '0';
  #nextKey = 1;

  constructor(first: Preparation) {
    this.#all = new Map([[this.#shown, first]]);
  }

  get all(): readonly Preparation[] {
    return [...this.#all.values()];
  }

  get keys(): readonly string[] {
    return [...this.#all.keys()];
  }

  /** The one whose options are shown. */
  get shown(): Preparation {
    const [first] = this.#all.values();
    const shown = this.#all.get(this.#shown) ?? first;
    if (shown === undefined) {
      throw new Error('A page asks no agent');
    }
    return shown;
  }

  /** What the page shows of them, if there are several. */
  get choices(): SeveralAgents | undefined {
    const agents = [...this.#all].map(([key, one]) => ({ key, name: this.#nameOf(one) }));
    return agents.length > 1 ? { agents, shown: this.#shown } : undefined;
  }

  /** Asks one more, and shows its options. */
  add(preparation: Preparation): void {
    this.#shown = String(this.#nextKey++);
    this.#all = new Map([...this.#all, [this.#shown, preparation]]);
  }

  /** Shows the options of another one. */
  show(key: string): void {
    if (this.#all.has(key)) {
      this.#shown = key;
    }
  }

  /** Shows the options of this one. */
  showThis(preparation: Preparation): void {
    this.show([...this.#all].find(([, one]) => one === preparation)?.[0] ?? '');
  }

  /** Asks one less. Returns it; `undefined` if there is only one. */
  remove(key: string): Preparation | undefined {
    const removed = this.#all.get(key);
    if (removed === undefined || this.#all.size === 1) {
      return undefined;
    }
    this.#all = new Map([...this.#all].filter(([other]) => other !== key));
    const [first] = this.#all.keys();
    this.#shown = this.#shown === key && first !== undefined ? first : this.#shown;
    return removed;
  }

  /** Asks only the one whose options are shown. Returns the others. */
  keepShown(): readonly Preparation[] {
    const { shown } = this;
    const gone = this.all.filter((one) => one !== shown);
    this.#all = new Map([...this.#all].filter(([, one]) => one === shown));
    return gone;
  }

  /** Puts others in the place of those for which `instead` has one. Returns those that are gone. */
  replace(instead: (old: Preparation) => Preparation | undefined): readonly Preparation[] {
    const gone: Preparation[] = [];
    const all = [...this.#all].map(([key, old]) => {
      const next = instead(old);
      if (next !== undefined) {
        gone.push(old);
      }
      return [key, next ?? old] as const;
    });
    this.#all = new Map(all);
    return gone;
  }

  /** The agent, and its model if the agent is asked twice. */
  #nameOf({ agent, facts }: Preparation): string {
    const isTwice = this.all.filter((one) => one.agent.id === agent.id).length > 1;
    const model = facts.configOptions.find(({ category }) => category === 'model');
    const choices = model?.type === 'select' ? model.groups.flatMap((group) => group.choices) : [];
    const name = choices.find(({ value }) => value === model?.value)?.name;
    const title = cleanText(agent.current.title, maxNameLength);
    return isTwice && name !== undefined
      ? l10n.t('{0} · {1}', title, cleanText(name, maxNameLength))
      : title;
  }
}
