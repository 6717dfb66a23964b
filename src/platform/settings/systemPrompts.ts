import path from 'node:path';
import * as vscode from 'vscode';
import { findOrigin } from '../../model/places/worktrees';
import type { SystemPrompts } from '../../model/ports';
import type { SystemPrompt } from '../../protocol/agentConnection';
import { isObject } from '../../util/json';
import { getBeginning } from '../../util/textParts';
import { realPath } from '../files/realPath';
import { settingKeys, settingsSection } from '../ids';

/** UTF-16 units of a text: more than any agent has room for beside its own. */
const maxLength = 100_000;

/**
 * `acpSessions.systemPrompts`, by the ids of agents. The values of the session's folder come first, then those of the
 * workspace, then the user's; VS Code ignores those of a workspace that isn't trusted. A worktree has those of the folder
 * that it is a worktree of.
 */
export const systemPrompts: SystemPrompts = {
  async find(agentId, cwd) {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    // An agent may write a folder with more slashes than a URI takes.
    const folder = await findOrigin(path.normalize(cwd), folders, realPath);
    const all = vscode.workspace
      .getConfiguration(settingsSection, vscode.Uri.file(folder))
      .get<unknown>(settingKeys.systemPrompts);
    return isObject(all) && Object.hasOwn(all, agentId)
      ? readSystemPrompt(all[agentId])
      : undefined;
  },
};

/** A text, or a text with its mode; `undefined` if there is nothing to say. */
export function readSystemPrompt(value: unknown): SystemPrompt | undefined {
  const { mode, text } = isObject(value) ? value : { mode: 'append', text: value };
  if (typeof text !== 'string' || text.trim() === '') {
    return undefined;
  }
  return { mode: mode === 'override' ? mode : 'append', text: getBeginning(text, maxLength) };
}
