import type { Command } from '../commands/run';
import type { Core } from '../core/core';

type Names = Readonly<Record<string, string>>;

/** What of the manifest is a feature's; a test finds what is nobody's. */
interface Owned<Ids extends Names> {
  readonly commandIds: Ids;
  /** The feature's settings, without the section that they share. */
  readonly settingKeys?: Names;
  /** What it tells the conditions of menus and keys. */
  readonly contextKeys?: Names;
}

/** What a folder of `features` adds to the core. */
export interface Feature<Ids extends Names, Parts extends object> extends Owned<Ids> {
  /** Builds the feature on the core, which then lives as long as the extension. */
  readonly register: (core: Core) => Registered<Ids[keyof Ids], Parts>;
}

interface Registered<Id extends string, Parts extends object> {
  /** A function for each command. */
  readonly commands: Readonly<Record<Id, Command>>;
  /** The parts, for tests that run in VS Code. */
  readonly parts: Parts;
}

/** A feature that has these commands, settings and context keys. */
export function feature<Ids extends Names, Parts extends object>(
  owned: Owned<Ids>,
  register: (core: Core) => Registered<Ids[keyof Ids], Parts>,
): Feature<Ids, Parts> {
  return { ...owned, register };
}
