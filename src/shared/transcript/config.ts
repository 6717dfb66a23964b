/** The session settings that the agent offers (CF-3, MO-2). */

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

export interface ChoiceGroup {
  /** Absent for choices without a group. */
  readonly name?: string;
  readonly choices: readonly Choice[];
}

interface ConfigOptionBase {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** `mode`, `model`, `model_config`, `thought_level`, or any other string (CF-4). */
  readonly category?: string;
}

/** A config option that can be shown and changed. */
export type ConfigOption =
  | (ConfigOptionBase & {
      readonly type: 'select';
      readonly value: string;
      readonly groups: readonly ChoiceGroup[];
    })
  | (ConfigOptionBase & { readonly type: 'boolean'; readonly value: boolean });

/** A config option of a type that isn't known here: it is named, and can't be changed (CF-6, T-99). */
export interface UnknownOption {
  readonly type: 'unknown';
  /** The type by the agent's name for it. */
  readonly kind: string;
  readonly name: string;
  /** The option as JSON, cut if it is long. */
  readonly raw: string;
}

/** An item of an agent's list of config options. */
export type ListedOption = ConfigOption | UnknownOption;

/** Models in a field of their own, as agents offer them that don't offer them as a config option (MO-5). */
export interface SessionModels {
  readonly currentModelId: string;
  readonly models: readonly Choice[];
}

/** A session was in one mode, and has come back in one that is less careful. */
export interface FallenMode {
  /** `option`: the id of the config option that stands for the mode, if one does. */
  readonly from: { readonly option?: string; readonly value: string; readonly name: string };
  /** The name of the mode that it is in. */
  readonly now: string;
}

export interface SessionModes {
  readonly currentModeId: string;
  readonly modes: readonly {
    readonly id: string;
    readonly name: string;
    readonly description?: string;
  }[];
}
