import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { DemoTurn, ToolRun } from '../turns/turn';
import { isMissing, messageOf } from '../vocabulary/errors';
import type { Command } from './command';
import { isAllowed } from './permission';

const usualFile = 'demo-agent.md';

export const diff: Command = {
  name: 'diff',
  description:
    'A change to a file; actually written if your editor supports it, otherwise only shown',
  hint: `file in this folder (${usualFile})`,
  run: async (turn, argument) => {
    const relative = argument === '' ? usualFile : argument;
    const file = path.resolve(turn.session.meta.cwd, relative);
    if (!(await isInside(turn, file))) {
      await turn.say(`\`${relative}\` is outside this session’s folders, so I leave it alone.`);
      return undefined;
    }
    const oldText = await currentText(turn, file);
    const newText = `${oldText ?? '# Notes of the demo agent\n'}\n- A line from the demo agent.\n`;
    const tool = await turn.tool({
      title: `Edit ${relative}`,
      kind: 'edit',
      name: 'write_file',
      input: { path: file, lines: newText.split('\n').length },
      content: [{ type: 'diff', path: file, oldText, newText }],
      locations: [{ path: relative }],
    });
    await turn.say(await apply(turn, tool, file, newText));
    return undefined;
  },
};

/** Makes the change if the mode, the user and the editor allow it; returns a sentence about the result. */
async function apply(
  turn: DemoTurn,
  tool: ToolRun,
  file: string,
  newText: string,
): Promise<string> {
  const { mode } = turn.session.meta.settings;
  if (mode === 'plan') {
    await tool.complete();
    return 'In the mode **Plan only** I show changes and make none.';
  }
  if (mode === 'ask' && !(await isAllowed(turn, tool, 'write_file'))) {
    await tool.fail('Not allowed');
    return 'You did not allow the change, so the file is as it was.';
  }
  await tool.start();
  const { fs, ownWork } = turn.capabilities;
  if (fs?.writeTextFile !== true && !ownWork) {
    await tool.complete();
    return "Your editor doesn't write files for agents, so I only show the change.";
  }
  try {
    await turn.client.writeText(turn.sessionId, file, newText, turn.cancellable);
  } catch (error) {
    turn.signal.throwIfAborted();
    await tool.fail(messageOf(error));
    return `${ownWork ? 'I' : 'Your editor'} could not write the file: ${messageOf(error)}`;
  }
  await tool.complete();
  return 'The change is made. Undo it in the editor as you would your own.';
}

/** No link leads out of the session's folders, either. */
async function isInside(turn: DemoTurn, file: string): Promise<boolean> {
  const { cwd, additionalDirectories } = turn.session.meta;
  const place = await realPlace(file);
  const roots = await Promise.all([cwd, ...additionalDirectories].map(realPlace));
  return roots.some((root) => isBelow(root, place));
}

/** Without links; the file itself and folders above it may be missing. */
async function realPlace(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const folder = path.dirname(file);
    if (!isMissing(error) || folder === file) {
      return file;
    }
    return path.join(await realPlace(folder), path.basename(file));
  }
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
  if (turn.capabilities.fs?.readTextFile === true) {
    try {
      return await turn.client.readText(turn.sessionId, file, turn.cancellable);
    } catch {
      // Editors report a missing file in different ways, so check the disk.
      turn.signal.throwIfAborted();
    }
  }
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    throw error;
  }
}
