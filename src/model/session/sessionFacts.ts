import * as l10n from '@vscode/l10n';
import type { SessionSetup } from '../../protocol/agentConnection';
import type { AvailableCommand, SessionUpdate } from '../../protocol/updates';
import type {
  ConfigOption,
  ListedOption,
  SessionModels,
  SessionModes,
  UnknownOption,
} from '../../shared/transcript/config';
import type { UsageLimit } from '../../shared/transcript/usageLimit';
import type { Usage } from '../../shared/transcript/webviewMessages';

/** How long after its end a limit may still be why a turn fails, in ms. */
const clocksDiffer = 60_000;
/** Names of unknown options in the log: an agent may make up a new one each time. */
const maxNamed = 20;

/** The agent's statements about a session that aren't history; the latest one counts (CM-1, CF-9, US-2). */
export class SessionFacts {
  #commands: readonly AvailableCommand[] = [];
  /** Whether an update has told them since the session was opened. */
  #areCommandsTold = false;
  #configOptions: readonly ConfigOption[] = [];
  /** Whether any of them is a config option of the agent's. */
  #hasOwnOptions = false;
  /** The model as an option, if the agent offers models in their older field and no option for them (MO-5). */
  #modelOption: ConfigOption | undefined;
  #unknownOptions: readonly UnknownOption[] = [];
  /** Their names, each of which is in the log once. */
  readonly #named = new Set<string>();
  readonly #note: (line: string) => void;
  #modes: SessionModes | undefined;
  /** The agent's latest statements, regardless of the values that are shown meanwhile. */
  #confirmedOptions: readonly ConfigOption[] = [];
  #confirmedMode: string | undefined;
  #systemPrompt: SessionSetup['systemPrompt'];
  #usage: Usage | undefined;
  #limit: UsageLimit | undefined;
  #suggestedPrompts: readonly string[] = [];

  /** `note` writes a line to the log. */
  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  get commands(): readonly AvailableCommand[] {
    return this.#commands;
  }

  /** The options in the agent's order (CF-2). */
  get configOptions(): readonly ConfigOption[] {
    return this.#configOptions;
  }

  /** Those of types that aren't known here (CF-6). */
  get unknownOptions(): readonly UnknownOption[] {
    return this.#unknownOptions;
  }

  /** `undefined` when there are none, or when there are config options, which take precedence (MO-1). */
  get modes(): SessionModes | undefined {
    return this.#hasOwnOptions ? undefined : this.#modes;
  }

  /** The system prompt that it was opened with, and whether the agent takes one. */
  get systemPrompt(): SessionSetup['systemPrompt'] {
    return this.#systemPrompt;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The limit of the account that holds, or nearly does. */
  get limit(): UsageLimit | undefined {
    const { resetsAt = Infinity } = this.#limit ?? {};
    return resetsAt + clocksDiffer > Date.now() ? this.#limit : undefined;
  }

  /** Prompts that may be the user's next one, most likely first (T-93). */
  get suggestedPrompts(): readonly string[] {
    return this.#suggestedPrompts;
  }

  /** A prompt is sent: what was suggested before it is of no use any more. */
  prompted(): void {
    this.#suggestedPrompts = [];
  }

  /** A turn has failed because of a limit that the agent tells in no other way; `undefined`: a turn has gone through. */
  showLimit(limit: UsageLimit | undefined): void {
    // A limit with a name has been told by an update, and so is its end.
    if (this.limit?.window === undefined) {
      this.#limit = limit;
    }
  }

  /** The account is another one, or signed out. */
  forgetLimit(): void {
    this.#limit = undefined;
  }

  /** Applies an update that carries a fact; returns whether it did. */
  apply(update: SessionUpdate): boolean {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.#commands = update.availableCommands;
        this.#areCommandsTold = true;
        return true;
      case 'config_option_update':
        this.setConfigOptions(update.configOptions);
        return true;
      case 'current_mode_update':
        this.showMode(update.currentModeId);
        this.confirmMode(update.currentModeId);
        return true;
      case 'prompt_suggestions_update':
        this.#suggestedPrompts = update.suggestions;
        return true;
      case 'usage_update':
        this.#usage = readUsage(update, this.#usage?.cost) ?? this.#usage;
        if (update.limit !== undefined) {
          this.#limit = update.limit ?? undefined;
        }
        return true;
      default:
        return false;
    }
  }

  /** The session isn't open any more, or is about to be opened again. */
  lost(): void {
    this.#areCommandsTold = false;
    this.#suggestedPrompts = [];
  }

  /** Applies the agent's answer to opening the session (NEW-5, LOAD-6, RES-5, V2-NEW-3). */
  takeSetup({ modes, models, configOptions, commands, systemPrompt }: SessionSetup): void {
    this.#systemPrompt = systemPrompt;
    // An update that came before the answer is newer.
    if (commands !== undefined && !this.#areCommandsTold) {
      this.#commands = commands;
    }
    if (modes !== undefined) {
      this.#modes = modes;
      this.confirmMode(modes.currentModeId);
    }
    if (models !== undefined) {
      this.#modelOption = asOption(models);
    }
    if (configOptions !== undefined || models !== undefined) {
      const own = this.#confirmedOptions.filter(({ id }) => !this.isOlderModel(id));
      this.setConfigOptions(configOptions ?? [...own, ...this.#unknownOptions]);
    }
  }

  /** MO-4: accepts a mode that isn't among the listed ones. */
  showMode(modeId: string): void {
    if (this.#modes !== undefined) {
      this.#modes = { ...this.#modes, currentModeId: modeId };
    }
  }

  /** Records the mode that the agent has reported. */
  confirmMode(modeId: string): void {
    this.#confirmedMode = modeId;
  }

  /** Reverts to the reported mode, unless a mode other than the refused one is shown by now (MO-3). */
  takeBackMode(refused: string): void {
    if (this.#confirmedMode !== undefined && this.#modes?.currentModeId === refused) {
      this.showMode(this.#confirmedMode);
    }
  }

  /** CF-9: replaces the complete list. An option for the model takes precedence over models in a field of their own. */
  setConfigOptions(listed: readonly ListedOption[]): void {
    this.#unknownOptions = listed.filter((option) => option.type === 'unknown');
    this.#unknownOptions.forEach(this.#nameInLog);
    const options = listed.filter((option) => option.type !== 'unknown');
    this.#hasOwnOptions = options.length > 0;
    if (options.some(({ id, category }) => id === modelId || category === 'model')) {
      this.#modelOption = undefined;
    }
    this.#confirmedOptions =
      this.#modelOption === undefined ? options : [this.#modelOption, ...options];
    this.#configOptions = this.#confirmedOptions;
  }

  readonly #nameInLog = ({ name, kind }: UnknownOption): void => {
    if (!this.#named.has(name) && this.#named.size < maxNamed) {
      this.#named.add(name);
      this.#note(`Option ${JSON.stringify(name)} of unknown type ${JSON.stringify(kind)}`);
    }
  };

  /** Whether the option with this id is set with `session/set_model`. */
  isOlderModel(configId: string): boolean {
    return this.#modelOption !== undefined && configId === modelId;
  }

  /** Records the model that the agent has taken. */
  confirmModel(value: string): void {
    if (findValue(this.#configOptions, modelId) === findValue(this.#confirmedOptions, modelId)) {
      // A new list of options has come meanwhile.
      this.showValue(modelId, value);
    }
    const confirm = (option: ConfigOption): ConfigOption => withValue(option, modelId, value);
    this.#modelOption = this.#modelOption && confirm(this.#modelOption);
    this.#confirmedOptions = this.#confirmedOptions.map(confirm);
  }

  /** Shows a new value of one option until the agent answers (CF-8). */
  showValue(configId: string, value: string | boolean): void {
    this.#configOptions = this.#configOptions.map((option) => withValue(option, configId, value));
  }

  /** Reverts to the reported value, unless a value other than the refused one is shown by now (CF-8). */
  takeBackValue(configId: string, refused: string | boolean): void {
    const confirmed = findValue(this.#confirmedOptions, configId);
    if (confirmed !== undefined && findValue(this.#configOptions, configId) === refused) {
      this.showValue(configId, confirmed);
    }
  }
}

/** The id that stands for the model in the settings, too. */
const modelId = 'model';

function asOption({ currentModelId, models }: SessionModels): ConfigOption {
  return {
    ...{ id: modelId, category: 'model', name: l10n.t('Model'), type: 'select' },
    ...{ value: currentModelId, groups: [{ choices: models }] },
  };
}

function findValue(
  options: readonly ConfigOption[],
  configId: string,
): string | boolean | undefined {
  return options.find(({ id }) => id === configId)?.value;
}

function withValue(option: ConfigOption, id: string, value: string | boolean): ConfigOption {
  if (option.id !== id) {
    return option;
  }
  if (option.type === 'select' && typeof value === 'string') {
    return { ...option, value };
  }
  return option.type === 'boolean' && typeof value === 'boolean' ? { ...option, value } : option;
}

/** US-3: `undefined` unless the numbers can be shown. */
function readUsage(
  update: Extract<SessionUpdate, { sessionUpdate: 'usage_update' }>,
  costBefore: Usage['cost'],
): Usage | undefined {
  const { used, size, keepsCost } = update;
  const cost = keepsCost ? costBefore : update.cost;
  if (![used, size].every((value) => Number.isFinite(value) && value >= 0)) {
    return undefined;
  }
  const isCost = cost !== undefined && Number.isFinite(cost.amount);
  return { used, size, ...(isCost && { cost }) };
}
