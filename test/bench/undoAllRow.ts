import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { listingAgent } from './agent';
import { fileCount } from './changedFiles';
import { measureInHost } from './hostFigures';
import type { UndoFigures } from './inHost/undoAll';
import { median } from './statistics';
import type { TableRow } from './table';

/** Undo All of files that aren't open, from the answered question to the last saved file. */
export async function undoAllRow(): Promise<TableRow> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  try {
    const workspace = path.join(folder, 'work');
    await mkdir(workspace);
    const agent = listingAgent(workspace, 1);
    const figures = { entry: 'undoAll', folder, workspace, agent };
    const { undone, edited } = await measureInHost<UndoFigures>(figures);
    const [undo, edit] = [median(undone), median(edited)];
    return {
      what: `Undo All of ${fileCount} files that aren’t open`,
      limit: '≤ 2 × one `WorkspaceEdit` of the same, saved by VS Code',
      measured: `${(undo / edit).toFixed(2)} × (${Math.round(undo)} ms, the edit ${Math.round(edit)} ms)`,
      met: undo <= 2 * edit,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
