import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TableRow } from './table';

/** The size of the shipped package. */
export async function sizeRows(): Promise<readonly TableRow[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-package-'));
  try {
    const file = path.join(folder, 'acp-sessions.vsix');
    execFileSync('npm', ['run', 'package', '--', '--out', file], { stdio: 'ignore' });
    return [
      // What a user feels of it is the time to the first rows, which other rows limit.
      { ...sizeRow('host bundle', (await stat('dist/extension.js')).size), limit: '–' },
      sizeRow('VSIX', (await stat(file)).size, 3_000_000),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sizeRow(what: string, bytes: number, limit = Infinity): TableRow {
  const kilobytes = (count: number): string =>
    `${Math.round(count / 1000).toLocaleString('en')} KB`;
  return { what, limit: `≤ ${kilobytes(limit)}`, measured: kilobytes(bytes), met: bytes <= limit };
}
