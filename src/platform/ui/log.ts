import * as vscode from 'vscode';
import type { Log } from '../../model/ports';
import type { Disposable } from '../../util/disposable';

/** The output channel "ACP Sessions"; VS Code's command "Set Log Level" sets its level. */
export class OutputLog implements Disposable {
  readonly #channel = vscode.window.createOutputChannel('ACP Sessions', { log: true });

  /** A log that prefixes its lines with the name of a component. */
  component(name: string): Log {
    const channel = this.#channel;
    return {
      error: (message) => channel.error(`[${name}] ${message}`),
      warn: (message) => channel.warn(`[${name}] ${message}`),
      info: (message) => channel.info(`[${name}] ${message}`),
      debug: (message) => channel.debug(`[${name}] ${message}`),
      trace: (message) => channel.trace(`[${name}] ${message}`),
    };
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/**
 * The output channel "ACP Sessions Traffic": every message, at trace level only, which the user
 * must turn on.
 */
export class TrafficChannel implements Disposable {
  readonly #channel = vscode.window.createOutputChannel('ACP Sessions Traffic', { log: true });

  /** The traffic of one agent. */
  of(agentId: string): {
    readonly enabled: boolean;
    write(direction: 'fromAgent' | 'toAgent', text: string): void;
    note(text: string): void;
  } {
    const channel = this.#channel;
    return {
      get enabled() {
        return channel.logLevel === vscode.LogLevel.Trace;
      },
      write: (direction, text) =>
        channel.trace(`[${agentId}] ${direction === 'fromAgent' ? '<-' : '->'} ${text}`),
      note: (text) => channel.trace(`[${agentId}] -- ${text}`),
    };
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
