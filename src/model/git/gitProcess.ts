import type { Readable } from 'node:stream';
import type { Environment } from '../../util/process/environment';
import { startProcess } from '../../util/process/startProcess';

export interface GitRun {
  /** The path of the git program. */
  readonly git: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  /** What git reads; it waits as long as that isn't there. */
  readonly input?: Uint8Array | string | Promise<string>;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface GitAnswer<T> {
  readonly code: number | null;
  readonly output: T;
  /** The beginning of what git said, in English. */
  readonly complaint: string;
}

export type GitProblem = 'missing' | 'timeout' | 'cancelled' | 'tooMuch' | 'exit';

/** Git didn't do what it was asked to. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';

  constructor(
    readonly problem: GitProblem,
    message: string,
  ) {
    super(message);
  }
}

/** Maximum size of an answer that is kept in memory, in bytes. */
const maxOutputBytes = 64 * 1024 * 1024;
const maxComplaintBytes = 64 * 1024;
const graceMs = 500;

/** Git's own variables would lead to another repository, or to the user's configuration. */
const ownVariables = /^GIT_(?!EXEC_PATH$)/i;
const always: Environment = {
  LC_ALL: 'C',
  LANGUAGE: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_PAGER: '',
  GIT_OPTIONAL_LOCKS: '0',
  // Nothing here may use the network.
  GIT_ALLOW_PROTOCOL: '',
};

/** Runs git with output of a bounded size. Rejects with `GitFailure`, but not for an exit code. */
export function runGit(run: GitRun, most = maxOutputBytes): Promise<GitAnswer<Buffer>> {
  return streamGit(run, async (output) => {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of output as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most) {
        throw new GitFailure('tooMuch', `git ${run.args[0]} printed more than ${most} bytes`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  });
}

/** Runs git; rejects with `exit` unless it succeeds. */
export async function mustGit(run: GitRun): Promise<Buffer> {
  const { code, output, complaint } = await runGit(run);
  if (code !== 0) {
    throw toFailure(run, code, complaint);
  }
  return output;
}

/** The reason why git ended with this code. */
export function toFailure(run: GitRun, code: number | null, complaint: string): GitFailure {
  return new GitFailure(
    'exit',
    `git ${run.args[0]} ended with ${code}: ${complaint.slice(0, 500)}`,
  );
}

/**
 * Runs git while `read` reads its output, at its own pace. Git and everything that it has started are ended when `read`
 * fails, after the time limit, and when `signal` aborts.
 */
export async function streamGit<T>(
  run: GitRun,
  read: (output: Readable) => Promise<T>,
): Promise<GitAnswer<T>> {
  if (run.signal.aborted) {
    throw new GitFailure('cancelled', 'cancelled');
  }
  const { child, tree } = started(run);
  const { stdout, stderr } = child;
  if (tree === undefined || stdout === null || stderr === null) {
    throw await startFailure(child);
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let stop!: (failure: GitFailure) => void;
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  const abort = () => stop(new GitFailure('cancelled', 'cancelled'));
  const timer = setTimeout(
    () => stop(new GitFailure('timeout', `git ${run.args[0]} took longer than ${run.limitMs} ms`)),
    run.limitMs,
  );
  run.signal.addEventListener('abort', abort);
  child.on('error', () => undefined);
  // Git may end without having read everything.
  const stdin = child.stdin?.on('error', () => undefined);
  void Promise.resolve(run.input).then((input) => stdin?.end(input));
  let complaint = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text.slice(0, maxComplaintBytes - complaint.length);
  });
  try {
    const [output, code] = await Promise.race([Promise.all([read(stdout), ended]), stopped]);
    tree.dispose();
    return { code, output, complaint };
  } catch (error) {
    stdout.destroy();
    await tree.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', abort);
  }
}

function started(run: GitRun): ReturnType<typeof startProcess> {
  try {
    return startProcess({
      command: run.git,
      args: run.args,
      cwd: run.cwd,
      environments: [always, run.environment],
      withoutVariables: ownVariables,
      stdin: run.input === undefined ? 'ignore' : 'pipe',
      graceMs,
    });
  } catch (error) {
    throw new GitFailure('missing', String(error));
  }
}

function startFailure(child: ReturnType<typeof startProcess>['child']): Promise<GitFailure> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(new GitFailure('missing', error.message)));
  });
}
