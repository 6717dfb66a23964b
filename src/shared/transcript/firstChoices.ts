import type { Choice } from './config';

/** One of several, as a picker shows it. */
interface OneOf {
  readonly value: string;
  readonly choices: readonly Choice[];
}

/** A fact of the place that is made for the session, which a dialog changes: a branch, for example. */
export interface PlaceFact {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** The agents that the first prompt goes to, each in a place of its own. */
export interface SeveralAgents {
  readonly agents: readonly { readonly key: string; readonly name: string }[];
  /** The key of the one whose options are shown. */
  readonly shown: string;
}

/** What the user can choose for a session that begins with its first prompt, besides its agent's options. */
export interface FirstChoices {
  /** By the agent's id. */
  readonly agent: OneOf;
  /** By the folder's path, or as a place that is made for it. */
  readonly folder: OneOf;
  /** Absent as long as there is one. */
  readonly several?: SeveralAgents;
  /** Whether the prompt can go to one more. */
  readonly canAdd?: boolean;
  /** Of a place that is made. */
  readonly facts?: readonly PlaceFact[];
}

export const firstPickers = ['agent', 'folder'] as const satisfies readonly (keyof FirstChoices)[];

/**
 * What is chosen. `fact`: the one with this key is to be changed; `add`: the prompt goes to one more agent; `show`,
 * `remove`: the one with this key.
 */
export const firstChoiceKinds = [...firstPickers, 'fact', 'add', 'show', 'remove'] as const;
export type FirstChoiceKind = (typeof firstChoiceKinds)[number];
