import { spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import { type Disposable, toDisposable } from '../../util/disposable';

const onWindows = process.platform === 'win32';

/** Roots of process trees that must not outlive this process. */
const guarded = new Set<number>();

/** Whether anything of the tree is left; on Windows a tree can't be asked, so only a live root counts. */
export function isTreeAlive(root: number): boolean {
  try {
    process.kill(onWindows ? root : -root, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends a process and everything that it started (T-31). On POSIX the root must lead a process group of
 * its own. Windows knows no polite way for a process without a window, so both signals kill there.
 */
export function endTree(root: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (onWindows) {
    spawn('taskkill', killArguments(root), { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-root, signal);
  } catch {
    // Nobody is left.
  }
}

/** Until disposed, the tree is killed when this process ends in any way in which it can still act. */
export function guardTree(root: number): Disposable {
  if (guarded.size === 0) {
    process.on('exit', killGuarded);
  }
  guarded.add(root);
  return toDisposable(() => {
    guarded.delete(root);
    if (guarded.size === 0) {
      process.off('exit', killGuarded);
    }
  });
}

function killGuarded(): void {
  for (const root of guarded) {
    if (onWindows) {
      spawnSync('taskkill', killArguments(root), { stdio: 'ignore', windowsHide: true });
    } else {
      endTree(root, 'SIGKILL');
    }
  }
}

function killArguments(root: number): string[] {
  return ['/pid', String(root), '/T', '/F'];
}
