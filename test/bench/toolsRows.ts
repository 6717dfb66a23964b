import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { typeScriptSettings } from '../../scripts/host/settings.mjs';
import { ableInitialize, fakeAgent } from '../fakeAgent/scenario';
import { measureInHost } from './hostFigures';
import type { ToolFigures } from './inHost/tools';
import { median } from './statistics';
import type { TableRow } from './table';

/** Files that use the symbol, and how often each does: 1,000 times in all. */
const [files, uses] = [200, 5];

/** The tools of the editor, in a workspace of TypeScript. */
export async function toolsRows(): Promise<readonly TableRow[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  try {
    const workspace = path.join(folder, 'work');
    await writeWorkspace(workspace);
    const record = path.join(folder, 'wire');
    const figures = await measureInHost<ToolFigures>({
      ...{ entry: 'tools', folder, workspace },
      agent: fakeAgent({ initialize: ableInitialize, record }),
      env: { ACP_SESSIONS_BENCH_WIRE: record },
      settings: typeScriptSettings,
    });
    return rowsOf(figures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsOf({ asked, called, later, offers, first, twelve }: ToolFigures): TableRow[] {
  const [command, tool, after] = [median(asked), median(called), median(later)];
  const [firstOffer = 0, ...others] = offers;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    {
      what: '`references` with 1,000 results, by an agent',
      limit: '≤ 1.2 × VS Code’s own command',
      measured: `${(tool / command).toFixed(2)} × (${tool.toFixed(1)} ms, the command ${command.toFixed(1)} ms)`,
      met: tool <= 1.2 * command,
    },
    {
      what: '`problems` after an edit',
      limit: '≤ the language server’s report + 50 ms',
      measured: `${Math.abs(after).toFixed(0)} ms ${after > 0 ? 'after' : 'before'} it`,
      met: after <= 50,
    },
    {
      what: 'the editor’s tools, offered to the first session of a window',
      limit: '–',
      measured: `${firstOffer.toFixed(1)} ms, later ones ${median(others).toFixed(1)} ms`,
      met: true,
    },
    {
      what: '… their memory',
      limit: '< 5 MB',
      measured: `${megabytes(first)}, with twelve sessions ${megabytes(twelve)}`,
      met: first < 5e6,
    },
  ];
}

async function writeWorkspace(folder: string): Promise<void> {
  await mkdir(folder);
  const write = (file: string, text: string): Promise<void> =>
    writeFile(path.join(folder, file), text);
  await write('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, noEmit: true } }));
  await write('total.ts', 'export const total = 1;\n');
  // One of the uses is the import.
  const lines = Array.from({ length: uses - 1 }, (_, at) => `export const part${at} = total;`);
  for (let at = 0; at < files; at++) {
    await write(`use${at}.ts`, ["import { total } from './total';", ...lines, ''].join('\n'));
  }
}
