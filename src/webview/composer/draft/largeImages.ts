import type { Attachment } from '../../../shared/transcript/prompt';
import { imageSize } from '../../parts/imageSize';

export type Image = Extract<Attachment, { type: 'image' }>;

/**
 * Longest edge in pixels: a conversation with more than 20 images in which one has a longer edge is refused by
 * Anthropic's API, with every further prompt (https://docs.anthropic.com/en/docs/vision).
 */
export const longestEdge = 2000;
/** Largest image in characters of base64; the same API takes 5 MB. */
export const maxData = 5_000_000;
/** Larger images aren't decoded: their pixels would take hundreds of megabytes. */
const maxPixels = 100_000_000;

export interface FittedImages {
  readonly attachments: readonly Attachment[];
  /** What was made smaller, one sentence each. */
  readonly notes: readonly string[];
}

export type FitImages = (attachments: readonly Attachment[]) => Promise<FittedImages>;

/** Whether providers may refuse this image, and it can be made smaller. A GIF would lose its movement. */
export function isTooLarge(attachment: Attachment): attachment is Image {
  if (attachment.type !== 'image' || attachment.mimeType === 'image/gif') {
    return false;
  }
  const size = imageSize(attachment.data);
  return (
    size !== undefined &&
    size.width * size.height <= maxPixels &&
    (attachment.data.length > maxData || Math.max(size.width, size.height) > longestEdge)
  );
}
