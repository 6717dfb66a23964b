import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { replayingAgent, sessionOf } from './agent';
import { drainBare } from './floor';
import { measureInHost } from './hostFigures';
import type { HostFigures } from './inHost/loading';
import type { TableRow } from './table';

const sessionId = sessionOf(100_000);

/**
 * The extension's cost in the extension host: memory for a long transcript, and activation time.
 */
export async function hostRows(): Promise<readonly TableRow[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  try {
    const { bytes } = await drainBare(replayingAgent(folder), { sessionId, cwd: folder });
    const { activation, before, loaded, closed } = await measureInHost<HostFigures>({
      ...{ entry: 'loading', folder, workspace: folder, agent: replayingAgent(folder) },
      env: { ACP_SESSIONS_BENCH_SESSION: sessionId },
    });
    const taken = loaded - before;
    const left = closed - before;
    return [
      {
        what: 'extension host memory for 100,000 updates',
        limit: '≤ 2.5 × the bytes on the wire',
        measured: `${(taken / bytes).toFixed(2)} × (${megabytes(taken)}, wire ${megabytes(bytes)})`,
        met: taken <= 2.5 * bytes,
      },
      {
        what: '… after closing the session',
        limit: 'back within 10 %',
        measured: `${((100 * left) / before).toFixed(1)} % over the ${megabytes(before)} before`,
        met: left <= 0.1 * before,
      },
      {
        what: '`activate()`, no agent started',
        limit: '≤ 30 ms',
        measured: `${activation.toFixed(1)} ms`,
        met: activation <= 30,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
