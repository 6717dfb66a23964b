import type { AvailableCommand, SessionUpdate } from '../protocol/updates';

type UsageUpdate = Extract<SessionUpdate, { sessionUpdate: 'usage_update' }>;

/** Context in use and cumulative cost as the agent last said (US-1). */
export type Usage = Omit<UsageUpdate, 'sessionUpdate'>;

/** What an agent says about a session that isn't history: the last word on each counts (CM-1, CF-9, US-2). */
export class SessionFacts {
  #commands: readonly AvailableCommand[] = [];
  #configOptions: readonly unknown[] = [];
  #modeId: string | undefined;
  #usage: Usage | undefined;

  get commands(): readonly AvailableCommand[] {
    return this.#commands;
  }

  /** As sent. */
  get configOptions(): readonly unknown[] {
    return this.#configOptions;
  }

  get modeId(): string | undefined {
    return this.#modeId;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Takes what is a fact of an update, and leaves everything else. */
  apply(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.#commands = update.availableCommands;
        break;
      case 'config_option_update':
        this.#configOptions = update.configOptions;
        break;
      case 'current_mode_update':
        this.#modeId = update.currentModeId;
        break;
      case 'usage_update':
        this.#usage = update;
        break;
      default:
        break;
    }
  }
}
