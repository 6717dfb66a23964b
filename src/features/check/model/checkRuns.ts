import * as l10n from '@vscode/l10n';
import type { Checks, KnownCheck } from '../../../model/checks/providedChecks';
import { sessionKey } from '../../../model/list/sessionInfo';
import type { Log, Terminal, Terminals } from '../../../model/ports';
import type { TerminalExit } from '../../../protocol/agentRequests';
import type { SessionRef } from '../../../shared/sessionRef';
import { Emitter } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import type { FolderState } from './folderState';
import type { KeptCheck, KeptChecks } from './keptCheck';

export interface CheckRunsOptions {
  readonly terminals: Pick<Terminals, 'create'>;
  /** The shell that reads the command lines. Rejects if it can't take this one. */
  readonly shellFor: (line: string) => Promise<string>;
  /** Has the results of before, and keeps those of now. */
  readonly kept: KeptChecks;
  /** What the files of a folder are, by which a later change is noticed. Never rejects. */
  readonly readFolder: (cwd: string) => Promise<FolderState | undefined>;
  readonly log: Log;
}

/** What is run for a session. */
export interface CheckOrder {
  /** A line for the shell. */
  readonly command: string;
  readonly cwd: string;
  readonly limitMs: number;
}

/** A check that runs or has run. */
export interface CheckRun extends KnownCheck {
  readonly session: SessionRef;
  readonly order: Pick<CheckOrder, 'command' | 'cwd'>;
  /** In ms since the epoch. */
  readonly began: number;
  /** Why it failed. */
  readonly reason?: string;
  /** Its output; `undefined` before it has started, if it couldn't be, and if it isn't of this window. */
  readonly terminal?: Terminal;
  /** Whether it ran before this window was opened. */
  readonly isEarlier?: true;
  /** What the folder was when it had ended, if that is known. */
  readonly folder?: FolderState;
}

/** Bytes of output that are kept of a check. */
const outputByteLimit = 256 * 1024;
/** Checks that are kept; the output of the oldest goes first. */
const maxRuns = 50;

/** Runs the checks of sessions, one at a time for each, and keeps the latest of each. */
export class CheckRuns implements Pick<Checks, 'of' | 'onDidChange'> {
  readonly #options: CheckRunsOptions;
  readonly #runs = new Map<string, CheckRun>();
  /** Sessions whose results of before were looked for. */
  readonly #sought = new Set<string>();
  /** The comparisons of folders, one after the other: each starts git. */
  #comparing: Promise<void> = Promise.resolve();
  readonly #changed = new Emitter<SessionRef>();
  readonly onDidChange = this.#changed.event;

  constructor(options: CheckRunsOptions) {
    this.#options = options;
  }

  get all(): readonly CheckRun[] {
    return [...this.#runs.values()];
  }

  /** One of before isn't told until its folder was compared with what it was then; `onDidChange` says when. */
  of(agentId: string, sessionId: string): CheckRun | undefined {
    const key = sessionKey(agentId, sessionId);
    const run = this.#runs.get(key);
    if (run === undefined && !this.#sought.has(key)) {
      this.#sought.add(key);
      const kept = this.#options.kept.get(key);
      if (kept !== undefined) {
        void this.#restore({ agentId, sessionId }, kept);
      }
    }
    return run;
  }

  /**
   * Runs a check in the place of the session's earlier one, which ends first if it still runs. Resolves when it has ended
   * or was replaced itself. Never rejects: a check that can't be started has failed.
   */
  async run(session: SessionRef, order: CheckOrder): Promise<void> {
    const before = this.of(session.agentId, session.sessionId);
    const run: CheckRun = { session, order, state: 'running', isStale: false, began: Date.now() };
    this.#set(run);
    this.#options.kept.set(sessionKey(session.agentId, session.sessionId), undefined);
    await before?.terminal?.kill();
    before?.terminal?.dispose();
    if (!this.#isCurrent(run)) {
      return;
    }
    try {
      await this.#execute(run, order);
    } catch (error) {
      this.#options.log.warn(`The check couldn't be run: ${getStack(error)}`);
      const said = error instanceof Error ? error.message : String(error);
      this.#end(run, { state: 'failed', reason: l10n.t('It couldn’t be started: {0}', said) });
    }
    await this.#keep(run);
  }

  /** Notes that the folder of a check of before isn't any more what it was. Resolves when that is known. */
  async compare({ agentId, sessionId }: SessionRef): Promise<void> {
    const run = this.of(agentId, sessionId);
    if (run?.isEarlier && !run.isStale && !(await this.#isSame(run.order.cwd, run.folder))) {
      this.setStale(run.session);
    }
  }

  /** Ends a check that runs. */
  stop({ agentId, sessionId }: SessionRef): void {
    const run = this.of(agentId, sessionId);
    if (run?.state === 'running') {
      this.#set({ ...run, state: 'stopped' });
      void run.terminal?.kill();
    }
  }

  /** The agent has changed files since the check began. */
  setStale({ agentId, sessionId }: SessionRef): void {
    const run = this.of(agentId, sessionId);
    if (run !== undefined && !run.isStale) {
      this.#set({ ...run, isStale: true });
      const key = sessionKey(agentId, sessionId);
      const kept = this.#options.kept.get(key);
      this.#options.kept.set(key, kept && { ...kept, isStale: true });
    }
  }

  /** Ends the check of a session that is gone, and forgets it. */
  forget({ agentId, sessionId }: SessionRef): void {
    const run = this.of(agentId, sessionId);
    this.#runs.delete(sessionKey(agentId, sessionId));
    this.#options.kept.set(sessionKey(agentId, sessionId), undefined);
    run?.terminal?.dispose();
  }

  /** Ends all that run, and forgets all. Resolves when they have ended. */
  async end(): Promise<void> {
    const runs = this.all;
    this.#runs.clear();
    await Promise.all(runs.map(async ({ terminal }) => terminal?.kill()));
    for (const { terminal } of runs) {
      terminal?.dispose();
    }
  }

  async #restore(session: SessionRef, { command, cwd, ...kept }: KeptCheck): Promise<void> {
    const isStale = kept.isStale || !(await this.#isSame(cwd, kept.folder));
    const key = sessionKey(session.agentId, session.sessionId);
    // Another one may have begun meanwhile, or the session may have been deleted.
    if (!this.#runs.has(key) && this.#options.kept.get(key) !== undefined) {
      this.#set({ ...kept, session, order: { command, cwd }, isStale, isEarlier: true });
    }
  }

  /** Keeps how a check has ended, unless another one has taken its place. */
  async #keep(run: CheckRun): Promise<void> {
    const { command, cwd } = run.order;
    const folder = this.#current(run) && (await this.#options.readFolder(cwd));
    const current = this.#current(run);
    if (current?.state !== 'passed' && current?.state !== 'failed') {
      return;
    }
    this.#set({ ...current, ...(folder && { folder }) });
    const { session, began, state, reason, isStale } = current;
    this.#options.kept.set(sessionKey(session.agentId, session.sessionId), {
      ...{ command, cwd, began, state, isStale },
      ...(reason !== undefined && { reason }),
      ...(folder && { folder }),
    });
  }

  /** Whether a folder is what it was; what can't be told isn't. */
  #isSame(cwd: string, folder: FolderState | undefined): Promise<boolean> {
    const compared = this.#comparing.then(async () => {
      const now = folder && (await this.#options.readFolder(cwd));
      return now !== undefined && now.mark === folder?.mark;
    });
    this.#comparing = compared.then(() => undefined);
    return compared;
  }

  async #execute(run: CheckRun, { command, cwd, limitMs }: CheckOrder): Promise<void> {
    const shell = await this.#options.shellFor(command);
    const options = { command, args: [], env: {}, cwd, shell, outputByteLimit };
    const terminal = await this.#options.terminals.create(options);
    const current = this.#current(run);
    if (current?.state !== 'running') {
      // Stopped or replaced while it was started.
      await terminal.kill();
      terminal.dispose();
      return;
    }
    this.#set({ ...current, terminal });
    const timer = setTimeout(() => {
      this.#end(run, { state: 'failed', reason: tooLong(limitMs) });
      void terminal.kill();
    }, limitMs);
    const exit = await terminal.exited;
    clearTimeout(timer);
    this.#end(run, readExit(exit));
  }

  /** How the check ended, unless the user has stopped it or another one has taken its place. */
  #end(run: CheckRun, end: Pick<CheckRun, 'state' | 'reason'>): void {
    const current = this.#current(run);
    if (current?.state === 'running') {
      this.#set({ ...current, ...end });
    }
  }

  #isCurrent(run: CheckRun): boolean {
    return this.#current(run)?.state === 'running';
  }

  /** What has become of a run; `undefined` if another one has taken its place. */
  #current({ session, order }: CheckRun): CheckRun | undefined {
    const current = this.of(session.agentId, session.sessionId);
    return current?.order === order ? current : undefined;
  }

  #set(run: CheckRun): void {
    const key = sessionKey(run.session.agentId, run.session.sessionId);
    // The newest stands last.
    this.#runs.delete(key);
    this.#runs.set(key, run);
    const oldest = this.all.find(({ state }) => state !== 'running');
    if (this.#runs.size > maxRuns && oldest !== undefined && oldest !== run) {
      this.#runs.delete(sessionKey(oldest.session.agentId, oldest.session.sessionId));
      oldest.terminal?.dispose();
      this.#changed.fire(oldest.session);
    }
    this.#changed.fire(run.session);
  }
}

function readExit({ exitCode, signal }: TerminalExit): Pick<CheckRun, 'state' | 'reason'> {
  if (exitCode === 0) {
    return { state: 'passed' };
  }
  const reason =
    signal === null
      ? l10n.t('It ended with code {0}.', exitCode ?? '?')
      : l10n.t('It was ended by the signal {0}.', signal);
  return { state: 'failed', reason };
}

function tooLong(limitMs: number): string {
  return l10n.t(
    'It ran longer than {0} minutes and was ended. The setting “acpSessions.check.timeLimit” gives it more time.',
    Math.round(limitMs / 60_000),
  );
}
