import type { Command } from '../commands/run';
import type { Core } from '../core/core';

/** What a folder of `features` adds to the core. */
export interface Feature<Ids extends Readonly<Record<string, string>>, Parts extends object> {
  /** The commands that it has; the manifest has the same. */
  readonly commandIds: Ids;
  /** Builds the feature on the core, which then lives as long as the extension. */
  readonly register: (core: Core) => Registered<Ids[keyof Ids], Parts>;
}

interface Registered<Id extends string, Parts extends object> {
  /** A function for each command. */
  readonly commands: Readonly<Record<Id, Command>>;
  /** For tests that run in VS Code. */
  readonly parts: Parts;
}

/** A feature with these commands. */
export function feature<Ids extends Readonly<Record<string, string>>, Parts extends object>(
  commandIds: Ids,
  register: (core: Core) => Registered<Ids[keyof Ids], Parts>,
): Feature<Ids, Parts> {
  return { commandIds, register };
}
