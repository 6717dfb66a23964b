import { type GitAnswer, GitFailure, type GitRun, runGit } from '../../../model/git/gitProcess';
import { withTimeout } from '../../../util/async';
import type { Environment } from '../../../util/process/environment';
import { getTrouble, WorktreeTrouble } from './trouble';

/** Time limits, in ms. */
export interface GitLimits {
  /** Time limit of what only reads, and of refs. */
  readonly readMs: number;
  /** Time limit of what writes many files or uses the network; the user sees its progress, and can cancel it. */
  readonly workMs: number;
}

const usualLimits: GitLimits = { readMs: 60_000, workMs: 60 * 60_000 };

export interface WorktreeGitOptions {
  /** The git program; `undefined`: there is none. */
  readonly program: () => Promise<string | undefined>;
  readonly limits?: GitLimits;
  /** Settings for this command, besides the user's. */
  readonly settings?: readonly string[];
}

/**
 * The user's own git variables that matter for what the user asks for. All others are left out: they would lead to
 * another repository.
 */
const kept = /^GIT_(?:CONFIG|SSH)/i;
/** No background work of git outlives the command; nothing is watched. */
const quiet = ['core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'];
/** The protocols that Git may use; not `ext`, whose addresses are commands. */
const protocols = 'file:git:http:https:ssh';

/** Git in one folder, with the user's configuration, as if the user had typed the command there. */
export class WorktreeGit {
  readonly #options: WorktreeGitOptions;
  readonly #cwd: string;
  readonly #signal: AbortSignal;

  constructor(options: WorktreeGitOptions, cwd: string, signal: AbortSignal) {
    this.#options = options;
    this.#cwd = cwd;
    this.#signal = signal;
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** Returns this git for another folder. */
  in(cwd: string, signal = this.#signal): WorktreeGit {
    return new WorktreeGit(this.#options, cwd, signal);
  }

  /**
   * Returns this git without any hooks: a path of theirs may lead into what somebody else has written. Also `git diff`
   * runs one, when it notes in the index that a file is as it was.
   */
  withoutHooks(): WorktreeGit {
    const settings = [...(this.#options.settings ?? []), 'core.hooksPath=/dev/null'];
    return new WorktreeGit({ ...this.#options, settings }, this.#cwd, this.#signal);
  }

  /** What a successful command prints. Rejects with `WorktreeTrouble`. */
  async text(...args: readonly string[]): Promise<string> {
    return (await this.bytes(...args)).toString('utf8');
  }

  async bytes(...args: readonly string[]): Promise<Buffer> {
    const answer = await this.#run(args, this.#limits.readMs);
    return mustSucceed(answer, args);
  }

  /** What a command prints; `undefined` if it ends with 1, which says no. */
  async asked(...args: readonly string[]): Promise<string | undefined> {
    const answer = await this.#run(args, this.#limits.readMs);
    return answer.code === 1 ? undefined : mustSucceed(answer, args).toString('utf8').trimEnd();
  }

  /** What a command prints; `undefined` if it fails. Rejects only if git itself can't be run. */
  async printed(...args: readonly string[]): Promise<string | undefined> {
    const { code, output } = await this.#run(args, this.#limits.readMs);
    return code === 0 ? output.toString('utf8').trimEnd() : undefined;
  }

  /** What the disk says, with the time limit of what only reads. Rejects with `WorktreeTrouble`. */
  disk<T>(answer: Promise<T>, place: string): Promise<T> {
    return withTimeout(answer, this.#limits.readMs, () => new WorktreeTrouble('noDisk', place));
  }

  /** A command that may take long. Rejects with `WorktreeTrouble`. */
  async work(...args: readonly string[]): Promise<void> {
    mustSucceed(await this.#run(args, this.#limits.workMs), args);
  }

  /** The same for a command that reads `input`. */
  async workWith(input: string, ...args: readonly string[]): Promise<void> {
    mustSucceed(await this.#run(args, this.#limits.workMs, input), args);
  }

  get #limits(): GitLimits {
    return this.#options.limits ?? usualLimits;
  }

  async #run(args: readonly string[], limitMs: number, input?: string): Promise<GitAnswer<Buffer>> {
    const git = await this.#options.program();
    if (git === undefined) {
      throw new WorktreeTrouble('noGit');
    }
    const settings = [...quiet, ...(this.#options.settings ?? [])];
    const run: GitRun = {
      git,
      args: [...settings.flatMap((value) => ['-c', value]), ...args],
      cwd: this.#cwd,
      environment: { ...ownVariables(), GIT_ALLOW_PROTOCOL: protocols },
      ...(input !== undefined && { input }),
      limitMs,
      signal: this.#signal,
    };
    try {
      return await runGit(run);
    } catch (error) {
      throw error instanceof GitFailure ? getTrouble(error, commandIn(args), limitMs) : error;
    }
  }
}

function mustSucceed(
  { code, output, complaint }: GitAnswer<Buffer>,
  args: readonly string[],
): Buffer {
  if (code !== 0) {
    throw WorktreeTrouble.said(commandIn(args), complaint);
  }
  return output;
}

/** The name of the command, which people know, without the options before it. */
function commandIn(args: readonly string[]): string {
  let at = 0;
  while (args[at]?.startsWith('-') === true) {
    at += args[at] === '-c' ? 2 : 1;
  }
  return args[at] ?? '';
}

function ownVariables(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
}
