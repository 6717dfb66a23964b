import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { TerminalExit, TerminalOutput } from '../../protocol/agentRequests';
import type { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { AgentCommand } from '../calls/commandLine';
import type { Terminal, Terminals } from '../ports';

/** Maximum number of live terminals in a session, for agents that never release them (TE-8). */
const maxLive = 64;
/** Maximum number of concurrent waits for exits; an agent needs one for each terminal. */
const maxWaits = 4 * maxLive;
/** Maximum output that is kept of released terminals, in UTF-16 units; the oldest are dropped first. */
const maxKeptUnits = 16 * 1024 * 1024;
/** Change events of a terminal are coalesced over this interval. */
const coalesceMs = 30;

/**
 * The terminals that the agent has created in one session (TE-1 to TE-9). The agent can't use a
 * released one any more, but its output can still be shown (TE-7).
 */
export class SessionTerminals implements Disposable {
  readonly #terminals: Terminals;
  readonly #cwd: string;
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;
  /** The terminals in the order of creation. */
  readonly #live = new Map<string, Terminal>();
  /** The terminals in the order of release, with the length of the output at that time, in UTF-16 units. */
  readonly #released = new Map<string, { readonly terminal: Terminal; readonly units: number }>();
  /** The pending waits for an exit, by the terminal's id. */
  readonly #waits = new Map<string, Set<(exit: TerminalExit) => void>>();
  readonly #exits = new WeakMap<Terminal, TerminalExit>();
  readonly #news = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #starting = new Set<Promise<Terminal>>();
  /** Increases with each `closeAll`. */
  #era = 0;

  /** `cwd`: the session's working directory, the default for a command. */
  constructor(terminals: Terminals, cwd: string) {
    this.#terminals = terminals;
    this.#cwd = cwd;
  }

  /** Whether there has been none yet that could be shown. */
  get isEmpty(): boolean {
    return this.#live.size === 0 && this.#released.size === 0;
  }

  /** Whether a command runs that the agent can still use. */
  get isRunning(): boolean {
    return [...this.#live.values()].some((terminal) => !this.#exits.has(terminal));
  }

  /** The terminal to show, so released ones are included; `undefined` for an unknown id, as in a replay (TE-9). */
  get(id: string): Terminal | undefined {
    return this.#live.get(id) ?? this.#released.get(id)?.terminal;
  }

  /** The output to show, with a line that marks truncation; `undefined` as in `get`. */
  shown(id: string): TerminalOutput | undefined {
    const shown = this.get(id)?.shown;
    return shown?.truncated === true
      ? { ...shown, output: `${l10n.t('… earlier output was discarded')}\n${shown.output}` }
      : shown;
  }

  /** Adds the shell that the command needs, if it is a command line for a shell. */
  async withShell(request: AgentCommand): Promise<AgentCommand> {
    mustBeCommand(request);
    const shell = await this.#terminals.shellFor({ ...request, cwd: request.cwd ?? this.#cwd });
    return shell === undefined ? request : { ...request, shell };
  }

  /** Starts a command and resolves with the terminal's id (TE-2). */
  async create(request: AgentCommand, signal?: AbortSignal): Promise<string> {
    mustBeCommand(request);
    if (this.#live.size + this.#starting.size >= maxLive) {
      throw refusal('tooMany', `The session already has ${maxLive} live terminals`);
    }
    const era = this.#era;
    const starting = this.#terminals.create({ ...request, cwd: request.cwd ?? this.#cwd });
    this.#starting.add(starting);
    try {
      const terminal = await starting;
      if (era !== this.#era || signal?.aborted === true) {
        await terminal.kill();
        throw refusal('cancelled', 'The request was canceled');
      }
      return this.#add(terminal);
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** TE-4. */
  output(id: string): TerminalOutput {
    return this.#mustGet(id).output;
  }

  /** TE-5. Rejects with `cancelled` when `signal` aborts first; the command keeps running. */
  async waitForExit(id: string, signal?: AbortSignal): Promise<TerminalExit> {
    const exit = this.#exits.get(this.#mustGet(id));
    if (signal?.aborted === true) {
      throw givenUp();
    }
    return exit ?? this.#wait(id, signal);
  }

  /** TE-6: the id stays valid. */
  async kill(id: string): Promise<void> {
    await this.#mustGet(id).kill();
  }

  /** TE-6: kills the command if it is running, and invalidates the id. */
  async release(id: string): Promise<void> {
    const terminal = this.#mustGet(id);
    this.#live.delete(id);
    this.#released.set(id, { terminal, units: 0 });
    await terminal.kill();
    // It may have been forgotten meanwhile.
    if (this.#released.has(id)) {
      this.#released.set(id, { terminal, units: terminal.output.output.length });
      this.#forgetOldest();
    }
  }

  /** TE-8: releases all terminals, including those being started; resolves when no command is left. */
  async closeAll(): Promise<void> {
    this.#era++;
    await Promise.all([
      ...[...this.#live.keys()].map((id) => this.release(id)),
      ...[...this.#starting].map((starting) => starting.then(kill, () => undefined)),
    ]);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
    void this.closeAll().then(() => {
      for (const [id, { terminal }] of this.#released) {
        this.#forget(id, terminal);
      }
    });
  }

  #add(terminal: Terminal): string {
    const id = crypto.randomUUID();
    this.#live.set(id, terminal);
    terminal.onDidChange(() => this.#announce(id));
    void terminal.exited.then((exit) => {
      this.#exits.set(terminal, exit);
      this.#ended(id, exit);
    });
    return id;
  }

  /** An aborted wait removes itself. */
  #wait(id: string, signal: AbortSignal | undefined): Promise<TerminalExit> {
    const waits = this.#waits.get(id) ?? new Set();
    const all = [...this.#waits.values()].reduce((sum, { size }) => sum + size, 0);
    if (all >= maxWaits) {
      throw refusal('tooMany', `Too many requests wait for exits (${maxWaits})`);
    }
    this.#waits.set(id, waits);
    return new Promise((resolve, reject) => {
      const wait = (exit: TerminalExit): void => {
        signal?.removeEventListener('abort', abort);
        resolve(exit);
      };
      const abort = (): void => {
        waits.delete(wait);
        reject(givenUp());
      };
      signal?.addEventListener('abort', abort, { once: true });
      waits.add(wait);
    });
  }

  #ended(id: string, exit: TerminalExit): void {
    const waits = this.#waits.get(id) ?? [];
    this.#waits.delete(id);
    for (const wait of waits) {
      wait(exit);
    }
  }

  #announce(id: string): void {
    this.#news.add(id);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#news];
      this.#news.clear();
      for (const changed of ids) {
        this.#changed.fire(changed);
      }
    }, coalesceMs);
  }

  #mustGet(id: string): Terminal {
    const terminal = this.#live.get(id);
    if (terminal === undefined) {
      throw refusal('terminalNotFound', 'There is no such terminal in this session');
    }
    return terminal;
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const [id, { terminal, units }] of [...this.#released].reverse()) {
      kept += units;
      if (kept > maxKeptUnits) {
        this.#forget(id, terminal);
      }
    }
  }

  #forget(id: string, terminal: Terminal): void {
    this.#released.delete(id);
    terminal.dispose();
  }
}

function givenUp(): AcpError {
  return refusal('cancelled', 'The request was canceled');
}

function kill(terminal: Terminal): Promise<void> {
  return terminal.kill();
}

/** Throws `AcpError` for a request that can't be a valid command. */
export function mustBeCommand({ command, args, env, cwd }: AgentCommand): void {
  const texts = [command, ...args, ...Object.keys(env), ...Object.values(env), cwd ?? ''];
  if (command.trim() === '' || texts.some((text) => text.includes('\0'))) {
    throw refusal('invalidParams', 'The command is empty or contains a NUL character');
  }
  if (Object.keys(env).some((name) => name === '' || name.includes('='))) {
    throw refusal('invalidParams', 'A variable has an invalid name');
  }
  if (cwd !== undefined && !path.isAbsolute(cwd)) {
    throw refusal('invalidParams', `The folder isn't an absolute path: ${cwd}`);
  }
}
