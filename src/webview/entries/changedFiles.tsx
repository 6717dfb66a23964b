import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChangedFile } from '../../shared/transcript/webviewMessages';
import { Icon } from '../parts/icon';
import { useSessionPart, useTranscript } from '../state/context';
import type { Popup } from '../usePopup';
import { addedLines, fileCount, removedLines } from '../words/counts';
import { formatNumber } from '../words/format';

const popupId = 'changed-files';

/** The file's state since the change, where it is worth mentioning. */
const stateLabels: Readonly<Record<NonNullable<ChangedFile['state']>, string | undefined>> = {
  same: undefined,
  changedSince: l10n.t('changed since'),
  missing: l10n.t('no longer there'),
};

const kindLabels: Readonly<Record<NonNullable<ChangedFile['kind']>, string>> = {
  added: l10n.t('new'),
  deleted: l10n.t('deleted'),
  moved: l10n.t('moved'),
};

interface ChangedFilesProps {
  readonly changes: Popup;
}

/** Shows the total of the session's changes and opens the list of changed files. */
export function ChangedFilesButton({ changes }: ChangedFilesProps): VNode | null {
  const files = useSessionPart('changedFiles') ?? [];
  if (files.length === 0) {
    return null;
  }
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <button
      {...changes.button}
      type="button"
      class="picker-button changed-files-button"
      aria-controls={changes.open ? popupId : undefined}
      title={l10n.t('Files that the session has changed')}
    >
      <Icon name="diff-multiple" />
      <span class="changed-files-count">{fileCount(files.length)}</span>
      <Counts added={added} removed={removed} />
    </button>
  );
}

/** The files that the session has changed; each opens as a diff against its current contents. */
export function ChangedFilesList({ changes }: ChangedFilesProps): VNode | null {
  const { post } = useTranscript();
  const files = useSessionPart('changedFiles') ?? [];
  const list = useRef<HTMLElement>(null);
  const isOpen = changes.open && files.length > 0;
  useLayoutEffect(() => {
    if (isOpen) {
      list.current?.querySelector('button')?.focus();
    }
  }, [isOpen]);
  if (!isOpen) {
    return null;
  }
  return (
    <section
      {...changes.content}
      ref={list}
      id={popupId}
      class="popup changed-files"
      aria-label={l10n.t('Changed files')}
    >
      <ul>
        {files.map((file) => (
          <File key={file.path} file={file} />
        ))}
      </ul>
      <button
        type="button"
        class="popup-option changed-files-all"
        onClick={() => post({ type: 'openChanges' })}
      >
        <Icon name="diff-multiple" />
        {l10n.t('Open All Changes')}
      </button>
    </section>
  );
}

function File({ file }: { readonly file: ChangedFile }): VNode {
  const { post } = useTranscript();
  return (
    <li>
      <button
        type="button"
        class="popup-option"
        title={file.path}
        onClick={() => post({ type: 'openChange', path: file.path })}
      >
        <Icon name="diff" />
        <span class="popup-name">{file.label}</span>
        <span class="popup-detail">
          {file.kind ? kindLabels[file.kind] : file.state && stateLabels[file.state]}
        </span>
        <Counts added={file.added} removed={file.removed} />
      </button>
    </li>
  );
}

export function Counts({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): VNode {
  return (
    <span class="changed-lines">
      <span class="sr-only">{`, ${addedLines(added)}, ${removedLines(removed)}`}</span>
      <span class="changed-added" aria-hidden="true">{`+${formatNumber(added)}`}</span>
      <span class="changed-removed" aria-hidden="true">{`−${formatNumber(removed)}`}</span>
    </span>
  );
}
