// @ts-check
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Gives this process, and all that it starts, a temporary folder of its own. It goes when the process exits, with what
 * tests that were killed have left in it. Only Linux has short paths for it: those of sockets have a limit.
 */
export function useTemporaryFolder() {
  if (process.platform !== 'linux') return;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-'));
  // Like the system's own: apt-get writes there as another user.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Whoever still writes there says nothing about the tests.
    }
  });
}
