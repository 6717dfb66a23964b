import * as l10n from '@vscode/l10n';
import { testPattern } from '../text/boundedPattern';

/** Maximum number of rules; the rest is ignored, which bounds the time for a list. */
const maxRules = 50;
/** Time limits, in ms, for one expression with a list of titles and for all expressions of a call. */
const longest = 100;
const maxTotalLength = 300;
/** Size at which the cache of tested titles is cleared. */
const maxKnownTitles = 20_000;

/**
 * Where the rules come from: a repository must not bring code that can run forever, as regular
 * expressions can.
 */
export type RuleOwner = 'person' | 'workspace';

/** A rule that can't be used, with the reason for the user. */
export interface HideProblem {
  readonly rule: string;
  readonly reason: string;
}

type Rule =
  | { readonly kind: 'glob'; readonly parts: readonly string[] }
  | {
      readonly kind: 'regex';
      readonly text: string;
      readonly pattern: string;
      readonly flags: string;
    };

interface Test {
  readonly rule: Extract<Rule, { kind: 'regex' }>;
  readonly titles: readonly string[];
}

/** The titles that the user wants to hide: globs with `*` only, or `/regular expressions/`. */
export class HideRules {
  readonly #onProblem: (problem: HideProblem) => void;
  #rules: readonly Rule[];
  readonly #known = new Map<string, boolean>();
  /** What wasn't run yet for lack of time: later calls continue with it. */
  #tests: Test[] = [];

  constructor(
    setting: unknown,
    onProblem: (problem: HideProblem) => void = () => undefined,
    owner: RuleOwner = 'person',
  ) {
    this.#onProblem = onProblem;
    const texts = Array.isArray(setting) ? setting.filter((rule) => typeof rule === 'string') : [];
    const rules = texts
      .filter((text) => text.trim() !== '')
      .slice(0, maxRules)
      .map(getRule);
    this.#rules = rules.filter((rule) => rule.kind === 'glob' || owner === 'person');
    for (const rule of rules) {
      if (rule.kind === 'regex' && owner === 'workspace') {
        onProblem({ rule: rule.text, reason: reasons.notYours });
      }
    }
  }

  /** Returns the titles that a rule hides. */
  hidden(titles: readonly string[]): ReadonlySet<string> {
    if (this.#rules.length === 0) {
      return new Set();
    }
    if (this.#known.size > maxKnownTitles) {
      this.#known.clear();
      this.#tests = [];
    }
    this.#learn([...new Set(titles)].filter((title) => !this.#known.has(title)));
    this.#runTests();
    return new Set(titles.filter((title) => this.#known.get(title) === true));
  }

  #learn(titles: readonly string[]): void {
    if (titles.length === 0) {
      return;
    }
    for (const title of titles) {
      this.#known.set(title, false);
    }
    for (const rule of this.#rules) {
      if (rule.kind === 'regex') {
        this.#tests.push({ rule, titles });
        continue;
      }
      for (const title of titles) {
        if (matchesGlob(rule.parts, title.toLowerCase())) {
          this.#known.set(title, true);
        }
      }
    }
  }

  /** Runs no expression that might not get its whole time, since it would be blamed for being slow. */
  #runTests(): void {
    const end = performance.now() + maxTotalLength - longest;
    while (performance.now() <= end) {
      const test = this.#tests.shift();
      if (test === undefined) {
        return;
      }
      this.#run(test);
    }
  }

  #run({ rule, titles }: Test): void {
    const result = testPattern(rule.pattern, rule.flags, titles, longest);
    if (result.kind !== 'tested') {
      // A rule that fails once would fail for every list.
      this.#rules = this.#rules.filter((other) => other !== rule);
      this.#tests = this.#tests.filter((test) => test.rule !== rule);
      this.#onProblem({ rule: rule.text, reason: reasons[result.kind] });
      return;
    }
    titles.forEach((title, index) => {
      if (result.matches[index] === true) {
        this.#known.set(title, true);
      }
    });
  }
}

const reasons = {
  invalid: l10n.t('it is not a valid regular expression'),
  tooLong: l10n.t('it is too long'),
  tooSlow: l10n.t('it takes too long'),
  notYours: l10n.t('regular expressions are allowed in user settings only'),
} as const;

function getRule(text: string): Rule {
  const [, pattern, flags = ''] = /^\/(.+)\/([imsu]*)$/su.exec(text) ?? [];
  return pattern === undefined
    ? { kind: 'glob', parts: text.toLowerCase().split('*') }
    : { kind: 'regex', text, pattern, flags };
}

/** Matches the whole text, with anything between the parts, in time linear in the text. */
function matchesGlob(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) {
    return text === first;
  }
  if (!text.startsWith(first)) {
    return false;
  }
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) {
      return false;
    }
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
