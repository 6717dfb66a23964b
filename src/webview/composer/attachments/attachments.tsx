import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { byteSize } from '../../../shared/byteSize';
import type { Attachment } from '../../../shared/transcript/prompt';
import { Icon, IconButton } from '../../parts/icon';
import { useTranscript } from '../../state/context';
import type { ComposerState } from '../draft/composerState';

/** The prompt's attachments, each with buttons to see it and to remove it. */
export function Attachments({ composer }: { readonly composer: ComposerState }): VNode | null {
  const attachments = composer.attachments.value;
  if (attachments.length === 0) {
    return null;
  }
  return (
    <ul class="attachments" aria-label={l10n.t('Attachments')}>
      {attachments.map((attachment, index) => (
        <li key={index} class="chip attachment" title={getTitle(attachment)}>
          <Name attachment={attachment} />
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

/** An image is seen already; others are opened. */
function Name({ attachment }: { readonly attachment: Attachment }): VNode {
  const { post } = useTranscript();
  const name = (
    <>
      <Picture attachment={attachment} />
      <span class="attachment-name">{getLabel(attachment)}</span>
    </>
  );
  return attachment.type === 'image' ? (
    name
  ) : (
    <button
      type="button"
      class="attachment-open"
      aria-label={l10n.t('Open {0}', getLabel(attachment))}
      onClick={() => post({ type: 'openAttachment', attachment })}
    >
      {name}
    </button>
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
      return attachment.uri;
    case 'selection':
      return `${attachment.uri}\n${getSize(attachment.text)}`;
    case 'image':
      return attachment.name;
    case 'text':
      return `${attachment.detail ?? attachment.name}\n${getSize(attachment.text)}`;
    case 'context':
      return attachment.detail ?? attachment.name;
  }
}

function getSize(text: string): string {
  return byteSize(new TextEncoder().encode(text).length);
}
