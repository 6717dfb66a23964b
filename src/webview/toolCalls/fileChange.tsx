import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literalLine } from '../../shared/literal';
import type { DrawnFileChange } from '../../shared/transcript/drawn';
import { fileChangeWords } from '../../shared/transcript/fileChangeWords';
import { Icon } from '../parts/icon';
import { useEntryIndex, useTranscript } from '../state/context';

interface FileChangeProps {
  readonly change: DrawnFileChange;
  /** Index in the tool call's content. */
  readonly item: number;
}

/** A file that was added, deleted, moved or copied, or that has no lines to show; its lines follow in the same frame. */
export function FileChangeView({ change, item }: FileChangeProps): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  const { path, oldPath, oldLabel, hasLines, opens } = change;
  const from = oldLabel === undefined ? undefined : literalLine(oldLabel);
  const words = fileChangeWords(change, from, hasLines === true);
  const label = (
    <>
      <Icon name={getIcon(change)} />
      <span class="diff-label">{literalLine(change.label)}</span>
    </>
  );
  const classes = [
    'diff file-change',
    hasLines && 'file-change-open',
    change.operation === 'delete' && 'file-change-deleted',
  ];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <div class="diff-head">
        {opens ? (
          <button
            type="button"
            class="diff-file"
            title={l10n.t('Open {0}', literalLine(path))}
            onClick={() => post({ type: 'openDiff', index, content: item })}
          >
            {label}
          </button>
        ) : (
          <span class="diff-file" title={literalLine(path)}>
            {label}
          </span>
        )}
        <span class="file-change-words" title={oldPath && literalLine(oldPath)}>
          {words}
        </span>
      </div>
    </div>
  );
}

function getIcon({ operation, fileType }: DrawnFileChange): string {
  switch (operation) {
    case 'add':
      return fileType === 'directory' ? 'new-folder' : fileType === 'symlink' ? 'link' : 'new-file';
    case 'delete':
      return 'trash';
    case 'move':
      return 'file-symlink-file';
    case 'copy':
      return 'files';
    case 'modify':
      return modifiedIcons[fileType ?? 'text'];
    case 'other':
      return 'question';
  }
}

const modifiedIcons = {
  text: 'diff',
  binary: 'file-binary',
  directory: 'folder',
  symlink: 'link',
} as const;
