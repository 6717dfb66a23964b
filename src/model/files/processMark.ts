import { readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

/** Stands for values that a system without `/proc` doesn't provide. */
const unknown = 'x';
interface OwnProcess {
  readonly start: string;
  readonly boot: string;
  readonly space: string;
}
/** Read once: a process keeps these values. */
let own: OwnProcess | undefined;

const markPattern = /^(\d{1,10})_(\d+|x)_([0-9a-f-]{36}|x)_(\d+|x)_[0-9a-f]+$/;

/** Identifies a worker of this process by a name that no later process gets. `worker`: hexadecimal. */
export function getMark(worker: string): string {
  const { start, boot, space } = ownProcess();
  return [process.pid, start, boot, space, worker].join('_');
}

export function isMark(name: string): boolean {
  return markPattern.test(name);
}

/** Whether the process of a mark may still be alive. A name that isn't a mark belongs to nobody. */
export function mayLive(mark: string): boolean {
  const [, id, start, boot, space] = markPattern.exec(mark) ?? [];
  if (id === undefined) {
    return false;
  }
  const own = ownProcess();
  if (boot !== own.boot) {
    return boot === unknown || own.boot === unknown;
  }
  if (space !== own.space) {
    return true;
  }
  if (!isThere(Number(id))) {
    return false;
  }
  const startNow = findStart(Number(id));
  return start === unknown || startNow === undefined || startNow === start;
}

function isThere(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return findCode(error) !== 'ESRCH';
  }
}

/** Start time of a process, in ticks since the machine was started; `dead` for a zombie. */
function findStart(id: number): string | undefined {
  const text = readText(`/proc/${id}/stat`);
  // The program name is in parentheses, and may contain any characters.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, threads, start] = [fields?.[0], fields?.[17], fields?.[19]];
  return state === 'Z' && Number(threads) <= 1 ? 'dead' : start;
}

/** The identity of this process, read once; `space` is its PID namespace. */
function ownProcess(): OwnProcess {
  own ??= {
    start: findStart(process.pid) ?? unknown,
    boot: readText('/proc/sys/kernel/random/boot_id') ?? unknown,
    space: /\d+/.exec(readLinkText('/proc/self/ns/pid'))?.[0] ?? unknown,
  };
  return own;
}

function readLinkText(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function findCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
