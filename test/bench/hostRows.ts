import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type BenchAgent, replayingAgent, sessionOf } from './agent';
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
    const { row, figures } = await hostMemoryRow(folder, replayingAgent(folder), sessionId);
    const { activation, before, closed } = figures;
    const left = closed - before;
    return [
      row,
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

/** What a session of 100,000 updates takes in the extension host of a window on this folder. */
export async function hostMemoryRow(
  folder: string,
  agent: BenchAgent,
  session: string,
): Promise<{ readonly row: TableRow; readonly figures: HostFigures }> {
  const { bytes } = await drainBare(agent, { sessionId: session, cwd: folder });
  const figures = await measureInHost<HostFigures>({
    ...{ entry: 'loading', folder, workspace: folder, agent },
    env: { ACP_SESSIONS_BENCH_SESSION: session },
  });
  const taken = figures.loaded - figures.before;
  const row = {
    what: 'extension host memory for 100,000 updates',
    limit: '≤ 2.5 × the bytes on the wire',
    measured: `${(taken / bytes).toFixed(2)} × (${megabytes(taken)}, wire ${megabytes(bytes)})`,
    met: taken <= 2.5 * bytes,
  };
  return { row, figures };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
