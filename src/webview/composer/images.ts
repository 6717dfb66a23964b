import * as l10n from '@vscode/l10n';
import { imageTypes } from '../../shared/transcript/parseDraft';
import type { Attachment } from '../../shared/transcript/prompt';

/** Largest image that can be attached, in bytes. */
const maxImageBytes = 10 * 1024 * 1024;

export interface ReadFiles {
  readonly attachments: readonly Attachment[];
  /** Why the other files can't be attached, one sentence each. */
  readonly refusals: readonly string[];
}

/** Reads images that were dropped or pasted as data; other files have no path that an agent could use. */
export async function readImages(files: readonly File[]): Promise<ReadFiles> {
  const refusals = files.map(refusalOf).filter((refusal) => refusal !== undefined);
  const good = files.filter((file) => refusalOf(file) === undefined);
  const attachments = await Promise.all(
    good.map(async (file): Promise<Attachment> => {
      const data = await base64Of(file);
      return { type: 'image', name: file.name, mimeType: file.type, data };
    }),
  );
  return { attachments, refusals };
}

function refusalOf({ name, type, size }: File): string | undefined {
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

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () =>
      reject(new Error(reader.error?.message ?? l10n.t('The file couldn’t be read')));
    reader.readAsDataURL(file);
  });
}
