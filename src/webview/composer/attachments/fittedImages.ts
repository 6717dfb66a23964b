import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../../shared/transcript/prompt';
import type { ImageSize } from '../../parts/imageSize';
import {
  type FittedImages,
  type Image,
  isTooLarge,
  longestEdge,
  maxData,
} from '../draft/largeImages';

const quality = 0.85;

/** Makes images smaller that providers may refuse; one that the browser can't read stays as it is. */
export async function fitImages(attachments: readonly Attachment[]): Promise<FittedImages> {
  const fitted: Attachment[] = [];
  const notes: string[] = [];
  for (const attachment of attachments) {
    const smaller = isTooLarge(attachment)
      ? await shrink(attachment).catch(() => undefined)
      : undefined;
    fitted.push(smaller?.image ?? attachment);
    if (smaller) {
      notes.push(
        l10n.t(
          '“{0}” was made smaller: {1} → {2} pixels.',
          attachment.name,
          sizeText(smaller.before),
          sizeText(smaller.after),
        ),
      );
    }
  }
  return { attachments: fitted, notes };
}

async function shrink(image: Image) {
  const bytes = Uint8Array.from(atob(image.data), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: image.mimeType }));
  try {
    const before = { width: bitmap.width, height: bitmap.height };
    // Photos keep their format; a drawing whose pixels don't fit becomes one.
    for (let edge = longestEdge; edge > 200; edge = Math.round(edge * 0.7)) {
      const after = scaled(before, edge);
      for (const mimeType of new Set([image.mimeType, 'image/jpeg'])) {
        const data = await draw(bitmap, after, mimeType);
        if (data.length <= maxData) {
          return { image: { ...image, mimeType, data }, before, after };
        }
      }
    }
    return undefined;
  } finally {
    bitmap.close();
  }
}

function scaled({ width, height }: ImageSize, edge: number): ImageSize {
  const scale = Math.min(1, edge / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

async function draw(
  bitmap: ImageBitmap,
  { width, height }: ImageSize,
  mimeType: string,
): Promise<string> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) {
    throw new Error('No canvas');
  }
  if (mimeType === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return getBase64(await canvas.convertToBlob({ type: mimeType, quality }));
}

/** The contents of a file or blob. */
export function getBase64(file: Blob): Promise<string> {
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

function sizeText({ width, height }: ImageSize): string {
  return `${width} × ${height}`;
}
