import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type {
  CreateTerminalRequest,
  TerminalExit,
  TerminalOutput,
} from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { Terminal, Terminals } from '../ports';

/** An agent that never releases what it makes (TE-8) comes to an end here. */
const maxLive = 64;
/** Waits for the ends of commands at a time; an agent needs one for each. */
const maxWaits = 4 * maxLive;
/** UTF-16 units of output that are kept of released terminals; the oldest go first. */
const maxKeptUnits = 16 * 1024 * 1024;
/** How often listeners hear of one terminal's output. */
const coalesceMs = 30;

/**
 * The terminals that the agent has made in one session (TE-1 to TE-9). A released one can't be asked for
 * by its agent any more; what it wrote can still be shown (TE-7).
 */
export class SessionTerminals implements Disposable {
  readonly #terminals: Terminals;
  readonly #cwd: string;
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;
  /** In the order in which they were made. */
  readonly #live = new Map<string, Terminal>();
  /** In the order in which they were released, with the length of their output then. */
  readonly #released = new Map<string, { readonly terminal: Terminal; readonly units: number }>();
  /** Who waits for the end of a command, by the terminal's id. */
  readonly #waits = new Map<string, Set<(exit: TerminalExit) => void>>();
  readonly #exits = new WeakMap<Terminal, TerminalExit>();
  readonly #news = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #starting = new Set<Promise<Terminal>>();
  /** Counts the times that all were closed. */
  #era = 0;

  /** `cwd`: the session's own, where a command starts that names no folder. */
  constructor(terminals: Terminals, cwd: string) {
    this.#terminals = terminals;
    this.#cwd = cwd;
  }

  /** To be shown, released ones too; `undefined` for one that isn't ours, as in a replay (TE-9). */
  get(id: string): Terminal | undefined {
    return this.#live.get(id) ?? this.#released.get(id)?.terminal;
  }

  /** What of its output is to be read, with a line that says that there was more; as `get`. */
  shown(id: string): TerminalOutput | undefined {
    const shown = this.get(id)?.shown;
    return shown?.truncated === true
      ? { ...shown, output: `${l10n.t('… earlier output is not kept')}\n${shown.output}` }
      : shown;
  }

  /** Starts a command and resolves with the terminal's id (TE-2). */
  async create(request: CreateTerminalRequest, signal?: AbortSignal): Promise<string> {
    checkCommand(request);
    if (this.#live.size + this.#starting.size >= maxLive) {
      throw new AcpError('invalidParams', `The session has ${maxLive} terminals not released`);
    }
    const era = this.#era;
    const starting = this.#terminals.create({ ...request, cwd: request.cwd ?? this.#cwd });
    this.#starting.add(starting);
    try {
      const terminal = await starting;
      if (era !== this.#era || signal?.aborted === true) {
        await terminal.kill();
        throw new AcpError('cancelled', 'Nobody waits for the terminal any more');
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

  /** TE-5. Rejects with `cancelled` when `signal` aborts first; the command runs on. */
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

  /** TE-6: ends the command if it runs; the id is not valid any more from now on. */
  async release(id: string): Promise<void> {
    const terminal = this.#mustGet(id);
    this.#live.delete(id);
    this.#released.set(id, { terminal, units: 0 });
    await terminal.kill();
    this.#released.set(id, { terminal, units: terminal.output.output.length });
    this.#forgetOldest();
  }

  /** TE-8: releases them all, those that are about to start too; resolves when nothing runs any more. */
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

  /** A wait that is given up leaves nothing behind. */
  #wait(id: string, signal: AbortSignal | undefined): Promise<TerminalExit> {
    const waits = this.#waits.get(id) ?? new Set();
    const all = [...this.#waits.values()].reduce((sum, { size }) => sum + size, 0);
    if (all >= maxWaits) {
      throw new AcpError('invalidParams', `${maxWaits} requests wait for ends of commands already`);
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
      throw new AcpError('gone', 'There is no such terminal in this session');
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
  return new AcpError('cancelled', 'The wait for the terminal was given up');
}

function kill(terminal: Terminal): Promise<void> {
  return terminal.kill();
}

/** Rejects what no command can be. */
export function checkCommand({ command, args, env, cwd }: CreateTerminalRequest): void {
  const texts = [command, ...args, ...Object.keys(env), ...Object.values(env), cwd ?? ''];
  if (command.trim() === '' || texts.some((text) => text.includes('\0'))) {
    throw new AcpError('invalidParams', 'The command is empty, or has a NUL character in it');
  }
  if (Object.keys(env).some((name) => name === '' || name.includes('='))) {
    throw new AcpError('invalidParams', 'A variable has a name that no variable can have');
  }
  if (cwd !== undefined && !path.isAbsolute(cwd)) {
    throw new AcpError('invalidParams', `The folder isn't an absolute path: ${cwd}`);
  }
}
