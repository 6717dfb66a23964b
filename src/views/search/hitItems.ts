import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Agents } from '../../model/agents';
import type { Workspace } from '../../model/ports';
import { isInside } from '../../model/roots';
import type { SearchHit } from '../../model/searchIndex';
import { timestampOf } from '../../model/timestamps';
import { cleanText } from '../../model/titles';
import { plainLabel } from '../plainLabel';
import { relativeTime } from '../sessions/dates';

export interface HitItem extends vscode.QuickPickItem {
  readonly hit: SearchHit;
}

/** A hit as a row: what was found, and below it where. */
export function hitItem(
  hit: SearchHit,
  agents: Pick<Agents, 'get'>,
  workspace: Pick<Workspace, 'folders'>,
): HitItem {
  const { agentId, title, cwd, updatedAt } = hit.session;
  const time = timestampOf(updatedAt);
  const roots = workspace.folders.map((folder) => folder.path);
  const where = [
    ...(hit.entry === undefined ? [] : [cleanText(title, 120)]),
    cleanText(agents.get(agentId)?.title ?? agentId, 60),
    ...(isInside(cwd, roots) ? [] : [cleanText(path.basename(cwd), 60)]),
    ...(time === undefined ? [] : [relativeTime(time, Date.now())]),
  ];
  const icon = hit.entry === undefined ? '$(comment-discussion) ' : '';
  return {
    label: icon + plainLabel(cleanText(hit.snippet, 200) || l10n.t('An entry without text')),
    detail: plainLabel(where.filter((part) => part !== '').join(' · ')),
    alwaysShow: true,
    hit,
  };
}
