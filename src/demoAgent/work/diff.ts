import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DemoSettings } from '../store/demoSettings';
import type { DemoTurn, Steps, ToolStart } from '../turns/turn';
import { getMessage, isMissing } from '../vocabulary/requestErrors';
import { realPlace } from './workFolder';

export const usualFile = 'demo-agent.md';

/** Adds a line to a file, through the editor if that can write (FS-3). */
export async function diff(turn: DemoTurn, argument: string): Promise<Steps> {
  const relative = argument === '' ? usualFile : argument;
  const { meta } = turn.session;
  const file = path.resolve(meta.cwd, relative);
  if (!(await isInside(turn, file))) {
    return [{ say: `\`${relative}\` is outside this session’s folders, so I leave it alone.` }];
  }
  const oldText = await currentText(turn, file);
  const newText = `${oldText ?? '# Notes of the demo agent\n'}\n- A line from the demo agent.\n`;
  const { mode } = meta.settings;
  const writes = mode !== 'plan' && turn.client.writesFiles;
  const call: ToolStart = {
    title: `Edit ${relative}`,
    kind: 'edit',
    name: 'write_file',
    input: { path: file, lines: newText.split('\n').length },
    content: [{ type: 'diff', path: file, oldText, newText }],
    locations: [{ path: relative }],
  };
  try {
    const isAllowed = await turn.call(call, mode === 'ask' ? 'write_file' : undefined, async () => {
      if (writes) {
        await turn.client.writeText(turn.sessionId, file, newText, turn.signal);
      }
    });
    return [{ say: isAllowed ? getOutcome(mode, writes) : refused }];
  } catch (error) {
    turn.signal.throwIfAborted();
    const who = turn.client.speaks2 ? 'I' : 'Your editor';
    return [{ say: `${who} could not write the file: ${getMessage(error)}` }];
  }
}

const refused = 'You did not allow the change, so the file is as it was.';

function getOutcome(mode: DemoSettings['mode'], writes: boolean): string {
  if (mode === 'plan') {
    return 'In the mode **Plan only** I show changes and make none.';
  }
  return writes
    ? 'The change is made. Undo it in the editor as you would your own.'
    : "Your editor doesn't write files for agents, so I only show the change.";
}

/** No link leads out of the session's folders, either. */
async function isInside(turn: DemoTurn, file: string): Promise<boolean> {
  const { cwd, additionalDirectories } = turn.session.meta;
  const place = await realPlace(file);
  const roots = await Promise.all([cwd, ...additionalDirectories].map(realPlace));
  return roots.some((root) => isBelow(root, place));
}

function isBelow(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

/**
 * The text in the editor (with unsaved changes), otherwise the one on disk; `null` if the file
 * doesn't exist.
 */
async function currentText(turn: DemoTurn, file: string): Promise<string | null> {
  try {
    return await turn.client.readText(turn.sessionId, file, turn.signal);
  } catch {
    turn.signal.throwIfAborted();
    // Editors report a missing file in different ways, so the disk says whether it is there.
    return readFile(file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) {
        return null;
      }
      throw error;
    });
  }
}
