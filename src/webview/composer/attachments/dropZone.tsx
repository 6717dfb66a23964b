import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { imageTypes } from '../../../shared/transcript/parseDraft';
import type { Attachment } from '../../../shared/transcript/prompt';
import type { FromWebview } from '../../../shared/transcript/webviewMessages';
import { useTranscript } from '../../state/context';
import type { TranscriptState } from '../../state/state';
import type { ComposerState } from '../draft/composerState';
import { getBase64 } from './fittedImages';
import { getFileUris, mayHoldFiles } from './transfer';

/**
 * State of a drag over the transcript; `shift`: VS Code passes it to a webview only while Shift is
 * held (https://github.com/microsoft/vscode/issues/182449).
 */
type Drag = 'none' | 'shift' | 'drop';

/** Accepts files and images dropped anywhere on the transcript. */
export function DropZone({ composer }: { readonly composer: ComposerState }): VNode | null {
  const { state, post } = useTranscript();
  const drag = useSignal<Drag>('none');
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const onDrag = (event: DragEvent): void => {
      if (event.dataTransfer && mayHoldFiles(event.dataTransfer)) {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        drag.value = event.shiftKey ? 'drop' : 'shift';
      }
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) {
        drag.value = 'none';
      }
    };
    const onDrop = (event: DragEvent): void => {
      drag.value = 'none';
      if (event.dataTransfer && takeFiles(event.dataTransfer, composer, state, post)) {
        event.preventDefault();
      }
    };
    document.addEventListener('dragenter', onDrag, { signal });
    document.addEventListener('dragover', onDrag, { signal });
    document.addEventListener('dragleave', onLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => abort.abort();
  }, [composer, state, post, drag]);
  return drag.value === 'none' ? null : (
    <div class="drop-hint">
      <span>
        {drag.value === 'drop'
          ? l10n.t('Drop to add to the prompt')
          : l10n.t('Hold Shift to add to the prompt')}
      </span>
    </div>
  );
}

/**
 * Adds the files of a drop or paste: files with a URI through the host, images by their contents
 * (CO-2). Returns `false` when there are none.
 */
export function takeFiles(
  transfer: DataTransfer,
  composer: ComposerState,
  state: TranscriptState,
  post: (message: FromWebview) => void,
): boolean {
  const uris = getFileUris(transfer);
  if (uris.length > 0) {
    post({ type: 'dropFiles', uris });
    return true;
  }
  const files = [...transfer.files];
  if (files.length === 0) {
    return false;
  }
  const agentTitle = state.agentTitle.peek();
  if (state.session.peek()?.takesImages !== true) {
    composer.refuse(
      l10n.t(
        '{0} doesn’t accept images, and other files have no path here. Add files with the button below, or type @ to find them.',
        agentTitle,
      ),
    );
    return true;
  }
  void readImages(files).then(
    ({ attachments, refusals }) => {
      composer.attach(attachments);
      if (refusals.length > 0) {
        composer.refuse(refusals.join(' '));
      }
      composer.focus();
    },
    () => composer.refuse(l10n.t('The dropped files couldn’t be read. Try again.')),
  );
  return true;
}

/** Largest image that can be attached, in bytes. */
const maxImageBytes = 10 * 1024 * 1024;

interface ReadFiles {
  readonly attachments: readonly Attachment[];
  /** Why the other files can't be attached, one sentence each. */
  readonly refusals: readonly string[];
}

/** Reads images that were dropped or pasted as data; other files have no path that an agent could use. */
async function readImages(files: readonly File[]): Promise<ReadFiles> {
  const refusals = files.map(findRefusal).filter((refusal) => refusal !== undefined);
  const good = files.filter((file) => findRefusal(file) === undefined);
  const attachments = await Promise.all(
    good.map(async (file): Promise<Attachment> => {
      const data = await getBase64(file);
      return { type: 'image', name: file.name, mimeType: file.type, data };
    }),
  );
  return { attachments, refusals };
}

function findRefusal({ name, type, size }: File): string | undefined {
  if (!type.startsWith('image/')) {
    return l10n.t(
      '“{0}” has no path here. Attach it with the button below, or type @ to find it.',
      name,
    );
  }
  if (!imageTypes.includes(type)) {
    return l10n.t('“{0}” isn’t a PNG, JPEG, GIF or WebP image.', name);
  }
  if (size > maxImageBytes) {
    return l10n.t('“{0}” is larger than 10 MB.', name);
  }
  return undefined;
}
