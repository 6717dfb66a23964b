import type { JsonObject } from '../../util/json';

/** What a tool of the editor runs for the agent, and not by a terminal of the agent's. */
export interface OwnRun {
  /** What is run, for the user. */
  readonly title: string;
  /** The folder that it is about. */
  readonly folder: string;
  /** The command line, as far as there is one and it is known. */
  readonly line?: string;
  /** The command lines that run before it. */
  readonly before?: readonly string[];
  /** What else is to be seen before. */
  readonly details?: JsonObject;
  /** The variables that it sets, of each command that sets any. */
  readonly variables?: readonly Readonly<Record<string, string>>[];
}
