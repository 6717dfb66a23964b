import type { Choice } from './config';

/** One of several, as a picker shows it. */
interface OneOf {
  readonly value: string;
  readonly choices: readonly Choice[];
}

/** What the user can choose for a session that begins with its first prompt, besides its agent's options. */
export interface FirstChoices {
  /** By the agent's id. */
  readonly agent: OneOf;
  /** By the folder's path. */
  readonly folder: OneOf;
}

export const firstChoiceKinds = [
  'agent',
  'folder',
] as const satisfies readonly (keyof FirstChoices)[];
export type FirstChoiceKind = (typeof firstChoiceKinds)[number];
