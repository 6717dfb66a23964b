import type { SessionSetup } from '../../protocol/agentConnection';
import type { AvailableCommand, SessionUpdate } from '../../protocol/updates';
import type { ConfigOption, SessionModes } from '../../shared/transcript/config';
import type { Usage } from '../../shared/transcript/webviewMessages';

/** What an agent says about a session that isn't history: the last word on each counts (CM-1, CF-9, US-2). */
export class SessionFacts {
  #commands: readonly AvailableCommand[] = [];
  #configOptions: readonly ConfigOption[] = [];
  #modes: SessionModes | undefined;
  /** What the agent has said last, whatever is shown meanwhile. */
  #confirmedOptions: readonly ConfigOption[] = [];
  #confirmedMode: string | undefined;
  #usage: Usage | undefined;

  get commands(): readonly AvailableCommand[] {
    return this.#commands;
  }

  /** In the agent's order (CF-2). */
  get configOptions(): readonly ConfigOption[] {
    return this.#configOptions;
  }

  /** `undefined` when there are none, or config options, which win over them (MO-1). */
  get modes(): SessionModes | undefined {
    return this.#configOptions.length > 0 ? undefined : this.#modes;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Takes what is a fact of an update, and leaves everything else; whether it was one. */
  apply(update: SessionUpdate): boolean {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.#commands = update.availableCommands;
        return true;
      case 'config_option_update':
        this.setConfigOptions(update.configOptions);
        return true;
      case 'current_mode_update':
        this.showMode(update.currentModeId);
        this.confirmMode(update.currentModeId);
        return true;
      case 'usage_update':
        this.#usage = usageOf(update) ?? this.#usage;
        return true;
      default:
        return false;
    }
  }

  /** What the agent said on opening the session (NEW-5, LOAD-6, RES-5). */
  takeSetup({ modes, configOptions }: SessionSetup): void {
    if (modes !== undefined) {
      this.#modes = modes;
      this.confirmMode(modes.currentModeId);
    }
    if (configOptions !== undefined) {
      this.setConfigOptions(configOptions);
    }
  }

  /** MO-4: also one that isn't among the modes. */
  showMode(modeId: string): void {
    if (this.#modes !== undefined) {
      this.#modes = { ...this.#modes, currentModeId: modeId };
    }
  }

  /** The agent is in this mode, as far as it has said. */
  confirmMode(modeId: string): void {
    this.#confirmedMode = modeId;
  }

  /** Back to the mode that the agent is in, unless another than the refused one is shown by now (MO-3). */
  takeBackMode(refused: string): void {
    if (this.#confirmedMode !== undefined && this.#modes?.currentModeId === refused) {
      this.showMode(this.#confirmedMode);
    }
  }

  /** CF-9: the complete list. */
  setConfigOptions(options: readonly ConfigOption[]): void {
    this.#configOptions = options;
    this.#confirmedOptions = options;
  }

  /** One option with another value, until the agent has said what it makes of it (CF-8). */
  showValue(configId: string, value: string | boolean): void {
    this.#configOptions = this.#configOptions.map((option) => withValue(option, configId, value));
  }

  /** Back to the agent's last word, unless another value than the refused one is shown by now (CF-8). */
  takeBackValue(configId: string, refused: string | boolean): void {
    const confirmed = valueOf(this.#confirmedOptions, configId);
    if (confirmed !== undefined && valueOf(this.#configOptions, configId) === refused) {
      this.showValue(configId, confirmed);
    }
  }
}

function valueOf(options: readonly ConfigOption[], configId: string): string | boolean | undefined {
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

/** US-3: numbers that can be shown, or nothing. */
function usageOf({
  used,
  size,
  cost,
}: Extract<SessionUpdate, { sessionUpdate: 'usage_update' }>): Usage | undefined {
  if (![used, size].every((value) => Number.isFinite(value) && value >= 0)) {
    return undefined;
  }
  const isCost = cost !== undefined && Number.isFinite(cost.amount);
  return { used, size, ...(isCost && { cost }) };
}
