import { isObject } from '../../util/json';
import type { Attachment, Draft } from './prompt';
import type { SavedState } from './webviewMessages';

/** Longest prompt, and longest text attached to one, in UTF-16 units. */
const maxPrompt = 1_000_000;
const maxName = 10_000;
const maxSource = 100;
const maxLine = 1_000_000_000;
/** Total size of a prompt's images, in base64 characters. */
const maxImages = 60 * 1024 * 1024;
const maxHistoryText = 10_000;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Maximum attachments per prompt. */
export const maxAttachments = 100;
/** Maximum prompts that a tab remembers. */
const maxHistory = 50;
/** Largest image, in base64 characters. */
const maxImage = 15 * 1024 * 1024;
/**
 * Image types that every agent accepting images can read and every browser can display (CO-2).
 * Without SVG: it is a document, not a picture.
 */
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Validates a draft from outside; `undefined` if any part of it is malformed or too large. */
export function parseDraft(value: unknown): Draft | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { text, attachments } = value;
  if (!isBounded(text, maxPrompt) || !Array.isArray(attachments)) {
    return undefined;
  }
  const parsed = attachments.slice(0, maxAttachments + 1).map(parseAttachment);
  const whole = parsed.filter((attachment) => attachment !== undefined);
  const isGood =
    whole.length === attachments.length &&
    whole.length <= maxAttachments &&
    imageSize(whole) <= maxImages;
  return isGood ? { text, attachments: whole } : undefined;
}

/** The prompts that a tab remembers: the newest ones, without those that are too long to keep. */
export function savableHistory(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.length <= maxHistoryText).slice(-maxHistory);
}

export function parseHistory(value: unknown): SavedState['history'] {
  return Array.isArray(value)
    ? savableHistory(value.filter((text) => typeof text === 'string'))
    : [];
}

function parseAttachment(value: unknown): Attachment | undefined {
  if (!isObject(value) || !isBounded(value['name'], maxName)) {
    return undefined;
  }
  const { mention } = value;
  const attachment = parseContent(value, value['name']);
  if (mention === undefined || attachment === undefined) {
    return attachment;
  }
  return isBounded(mention, maxName) && mention.startsWith('@')
    ? { ...attachment, mention }
    : undefined;
}

function parseContent(value: Record<string, unknown>, name: string): Attachment | undefined {
  switch (value['type']) {
    case 'file': {
      const { uri } = value;
      return isBounded(uri, maxName) && uri.startsWith('file:')
        ? { type: 'file', uri, name }
        : undefined;
    }
    case 'selection': {
      const { uri, startLine, endLine, text } = value;
      return isBounded(uri, maxName) &&
        isLine(startLine) &&
        isLine(endLine) &&
        startLine <= endLine &&
        isBounded(text, maxPrompt)
        ? { type: 'selection', uri, name, startLine, endLine, text }
        : undefined;
    }
    case 'image': {
      const { mimeType, data } = value;
      return typeof mimeType === 'string' &&
        imageTypes.includes(mimeType) &&
        isBounded(data, maxImage) &&
        base64.test(data)
        ? { type: 'image', name, mimeType, data }
        : undefined;
    }
    case 'text': {
      const { uri, text, detail } = value;
      return isBounded(uri, maxName) && isBounded(text, maxPrompt) && isDetail(detail)
        ? { type: 'text', uri, name, text, ...(detail !== undefined && { detail }) }
        : undefined;
    }
    case 'context': {
      const { source, about, detail } = value;
      return isBounded(source, maxSource) && isBounded(about, maxName) && isDetail(detail)
        ? { type: 'context', source, about, name, ...(detail !== undefined && { detail }) }
        : undefined;
    }
    default:
      return undefined;
  }
}

function imageSize(attachments: readonly Attachment[]): number {
  return attachments.reduce(
    (sum, attachment) => sum + (attachment.type === 'image' ? attachment.data.length : 0),
    0,
  );
}

function isBounded(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest;
}

function isDetail(value: unknown): value is string | undefined {
  return value === undefined || isBounded(value, maxName);
}

function isLine(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxLine;
}
