import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Attachment } from '../../shared/transcript/prompt';
import { Icon, IconButton } from '../parts/icon';
import type { ComposerState } from './composerState';

/** The prompt's attachments, each with a button to remove it. */
export function Attachments({ composer }: { readonly composer: ComposerState }): VNode | null {
  const attachments = composer.attachments.value;
  if (attachments.length === 0) {
    return null;
  }
  return (
    <ul class="attachments" aria-label={l10n.t('Attachments')}>
      {attachments.map((attachment, index) => (
        <li key={index} class="chip attachment" title={getTitle(attachment)}>
          <Picture attachment={attachment} />
          <span class="attachment-name">{getLabel(attachment)}</span>
          <IconButton
            icon="close"
            label={l10n.t('Remove {0}', getLabel(attachment))}
            onClick={() => {
              composer.remove(attachment);
              composer.focus();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function Picture({ attachment }: { readonly attachment: Attachment }): VNode {
  switch (attachment.type) {
    case 'file':
      return <Icon name={attachment.uri.endsWith('/') ? 'folder' : 'file'} />;
    case 'selection':
      return <Icon name="selection" />;
    case 'text':
      return <Icon name="note" />;
    case 'context':
      return <Icon name="mention" />;
    case 'image':
      return (
        <img
          class="thumbnail"
          src={`data:${attachment.mimeType};base64,${attachment.data}`}
          alt=""
        />
      );
  }
}

/** `cart.ts`, `cart.ts:3-9` */
function getLabel(attachment: Attachment): string {
  if (attachment.type !== 'selection') {
    return attachment.name;
  }
  const { name, startLine, endLine } = attachment;
  return startLine === endLine ? `${name}:${startLine}` : `${name}:${startLine}-${endLine}`;
}

function getTitle(attachment: Attachment): string {
  switch (attachment.type) {
    case 'file':
    case 'selection':
      return attachment.uri;
    case 'image':
      return attachment.name;
    case 'text':
    case 'context':
      return attachment.detail ?? attachment.name;
  }
}
