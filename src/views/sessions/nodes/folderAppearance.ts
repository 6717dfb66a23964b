import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { isConfigured } from '../../../model/agent';
import { cleanText } from '../../../model/text/titles';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import type { FolderNode, MovedNode, WorktreeNode } from './nodes';
import { getFolderName } from './worktreeNodes';

interface Look {
  readonly label: string;
  readonly description?: string;
  readonly icon: { readonly id: string };
  readonly words: readonly NodeWord[];
  readonly expandable: boolean;
}

const common = { words: [nodeWords.folder], expandable: true } as const;

/** The look of a folder's node: a folder of the workspace, another worktree, or a folder that has moved. */
export function folderAppearance(node: FolderNode | WorktreeNode | MovedNode): Look {
  const look = getLook(node);
  // No sessions begin in the folders of an agent that can only be read.
  return isConfigured(node.list.agent) ? look : { ...look, words: [] };
}

function getLook(node: FolderNode | WorktreeNode | MovedNode): Look {
  switch (node.kind) {
    case 'folder':
      return { label: node.folder.name, icon: { id: 'folder' }, ...common };
    case 'worktree':
      return worktreeAppearance(node);
    case 'moved':
      return movedAppearance(node);
  }
}

export function folderTooltip(node: FolderNode | WorktreeNode | MovedNode): string {
  switch (node.kind) {
    case 'folder':
      return node.folder.path;
    case 'worktree':
      return worktreeTooltip(node);
    case 'moved':
      return cleanText(node.from, 1000);
  }
}

function worktreeAppearance({ worktree, from }: WorktreeNode): Look {
  const name = cleanText(getFolderName(worktree.path), 200);
  const relative = path.relative(from.path, worktree.path);
  // For a distant folder the full path is clearer than a row of dots.
  const isNear = !path.isAbsolute(relative) && !relative.startsWith(path.join('..', '..', '..'));
  return {
    label: cleanText(worktree.branch ?? '', 200) || name,
    description: cleanText(isNear ? relative : worktree.path, 500),
    icon: { id: 'git-branch' },
    ...common,
    ...(!worktree.isMain && { words: [nodeWords.folder, nodeWords.worktree] }),
  };
}

function movedAppearance({ from }: MovedNode): Look {
  return {
    label: cleanText(getFolderName(from), 200),
    description: l10n.t('moved here from {0}', cleanText(from, 500)),
    icon: { id: 'folder' },
    ...common,
  };
}

function worktreeTooltip({ worktree }: WorktreeNode): string {
  const folder = cleanText(worktree.path, 1000);
  const kind = worktree.isMain
    ? l10n.t('Main worktree of the same repository')
    : l10n.t('Worktree of the same repository');
  return `${folder}\n${kind}`;
}
