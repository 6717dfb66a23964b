import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import { findCodePlace } from '../codePlace';
import { CopyButton } from '../parts/copyButton';
import { IconButton } from '../parts/icon';
import { useSessionPart, useTranscript } from '../state/context';

interface CodeActionsProps {
  readonly code: string;
  readonly language: string;
  /** The code block's element. */
  readonly place: RefObject<Element | null>;
}

/**
 * Buttons for a code block. Inserting and opening are done by the host, which has the full text of
 * what may be truncated here.
 */
export function CodeActions({ code, language, place }: CodeActionsProps): VNode {
  const { post } = useTranscript();
  const editor = useSessionPart('insertInto');
  const use = (how: 'insert' | 'open'): void => {
    const found = place.current && findCodePlace(place.current);
    if (found) {
      post({ type: 'useCode', how, language, ...found });
    }
  };
  return (
    <span class="code-actions">
      <IconButton
        icon="insert"
        label={
          editor === undefined
            ? l10n.t('Insert at Cursor: no text editor is open')
            : l10n.t('Insert at Cursor in {0}', editor)
        }
        unavailable={editor === undefined}
        onClick={() => use('insert')}
      />
      <IconButton
        icon="go-to-file"
        label={l10n.t('Open in a New Editor')}
        onClick={() => use('open')}
      />
      <CopyButton text={code} />
    </span>
  );
}
