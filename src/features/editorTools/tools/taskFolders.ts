import { readdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { chosenShells } from '../../../platform/terminals/chosenShells';
import { commandShell, mustTakeLine } from '../../../platform/terminals/commandShell';
import { checkCommand } from '../../../protocol/commandBounds';
import { asString } from '../../../util/json';
import { scriptRunner } from '../model/tasks/scriptRunner';
import { readTaskFile, type TaskDefinition } from '../model/tasks/taskFile';
import { planTask, type TaskStep } from '../model/tasks/taskPlan';
import { ToolRefusal } from '../model/tool';
import { isFile } from './filePlaces';

/** Bytes of a `tasks.json`. */
const maxBytes = 1_000_000;

/** A folder of the session, and the tasks that its `tasks.json` defines. */
export interface TaskFolder {
  readonly folder: string;
  readonly definitions: readonly TaskDefinition[];
}

/** What a task runs, and the shell that gets its lines. */
export interface PlannedTask {
  readonly steps: readonly TaskStep[];
  readonly shell: string;
}

/** The session's own folder and those of the window that are the session's, as far as they have a `tasks.json`. */
export async function readTaskFolders(session: ServedSession): Promise<readonly TaskFolder[]> {
  const opened = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const folders: TaskFolder[] = [];
  for (const folder of new Set([path.normalize(session.cwd), ...opened])) {
    const file = path.join(folder, '.vscode', 'tasks.json');
    if ((await session.canRead(file)) && (await isFile(file))) {
      if ((await stat(file)).size > maxBytes) {
        throw new ToolRefusal(`The tasks.json is longer than ${maxBytes} bytes.`);
      }
      const text = await readFile(file, 'utf8');
      folders.push({ folder, definitions: readTaskFile(text, process.platform) });
    }
  }
  return folders;
}

/**
 * What a task runs. Throws `ToolRefusal`, or `AcpError`, if that can't be told, or if it is what an agent may not run: it
 * leaves the session's folders, or sets a variable that changes unseen what runs.
 */
export async function planIn(
  { folder, definitions }: TaskFolder,
  label: string,
  session: ServedSession,
): Promise<PlannedTask> {
  const shell = await commandShell(chosenShells());
  const steps = planTask(definitions, label, {
    ...{ folder, shell, home: os.homedir() },
    scriptRunner: scriptRunner(chosenRunner(folder), await readdir(folder)),
  });
  for (const { command, args, env, folder: cwd, type, label: name } of steps) {
    checkCommand({ command, args, env, cwd });
    if (type === 'shell') {
      mustTakeLine(shell, command);
    }
    if (!(await session.has(cwd))) {
      throw new ToolRefusal(`Task "${name}" runs outside this session's folders.`);
    }
  }
  return { steps, shell };
}

function chosenRunner(folder: string): string | undefined {
  const settings = vscode.workspace.getConfiguration('npm', vscode.Uri.file(folder));
  const [chosen] = ['scriptRunner', 'packageManager']
    .map((key) => asString(settings.get<unknown>(key)))
    .filter((name) => name !== undefined && name !== 'auto');
  return chosen;
}
