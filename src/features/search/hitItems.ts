import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { isInside } from '../../model/files/roots';
import type { Workspace } from '../../model/ports';
import { findTimestamp } from '../../model/text/timestamps';
import { cleanText } from '../../model/text/titles';
import { relativeTime } from '../../views/dates';
import { plainLabel } from '../../views/plainLabel';
import type { IndexedSession, SearchHit, TouchHit } from './model/searchIndex';

export interface HitItem extends vscode.QuickPickItem {
  readonly hit: SearchHit;
}

export interface TouchItem extends vscode.QuickPickItem {
  readonly hit: TouchHit;
}

interface Where {
  readonly agents: Pick<Agents, 'get'>;
  readonly workspace: Pick<Workspace, 'folders'>;
}

/** Opening and closing code fences in Markdown, which snippets omit. */
const fences = /(^|\n|…)[ \t]*(?:`{3,}|~{3,})[^\n`]*/gu;

/** A hit as a row: the text found, with its location below. */
export function hitItem(hit: SearchHit, where: Where): HitItem {
  const icon = hit.entry === undefined ? '$(comment-discussion) ' : '';
  const title = hit.entry === undefined ? [] : [cleanText(hit.session.title, 120)];
  const snippet = cleanText(hit.snippet.replace(fences, '$1'), 200);
  return {
    label: icon + plainLabel(snippet || l10n.t('An entry without text')),
    detail: getDetail([...title, ...getPlace(hit.session, where)]),
    alwaysShow: true,
    hit,
  };
}

/** A session as a row: its action on the file, with its location below. */
export function touchItem(hit: TouchHit, where: Where): TouchItem {
  return {
    label: `$(${icons[hit.act]}) ${plainLabel(cleanText(hit.session.title, 120))}`,
    description: describeTouch(hit),
    detail: getDetail(getPlace(hit.session, where)),
    hit,
  };
}

const icons: Readonly<Record<TouchHit['act'], string>> = {
  edited: 'edit',
  deleted: 'trash',
  moved: 'arrow-right',
  read: 'eye',
  used: 'tools',
};

function describeTouch({ act, added, removed }: TouchHit): string {
  switch (act) {
    case 'edited':
      return added + removed === 0 ? l10n.t('edited') : l10n.t('edited +{0} −{1}', added, removed);
    case 'deleted':
      return l10n.t('deleted');
    case 'moved':
      return l10n.t('moved');
    case 'read':
      return l10n.t('read');
    case 'used':
      return l10n.t('used');
  }
}

/** The agent, the folder if it isn't in the workspace, and the time. */
function getPlace(
  { agentId, cwd, updatedAt }: IndexedSession,
  { agents, workspace }: Where,
): readonly string[] {
  const time = findTimestamp(updatedAt);
  const roots = workspace.folders.map((folder) => folder.path);
  return [
    cleanText(agents.get(agentId)?.title ?? agentId, 60),
    ...(isInside(cwd, roots) ? [] : [cleanText(path.basename(cwd), 60)]),
    ...(time === undefined ? [] : [relativeTime(time, Date.now())]),
  ];
}

function getDetail(parts: readonly string[]): string {
  return plainLabel(parts.filter((part) => part !== '').join(' · '));
}
