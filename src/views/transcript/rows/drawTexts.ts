import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { isInside } from '../../../model/files/roots';
import { byteSize } from '../../../shared/byteSize';
import type { Block } from '../../../shared/transcript/content';
import type { DrawnBlock, DrawnText } from '../../../shared/transcript/drawn';
import { imageTypes } from '../../../shared/transcript/parseDraft';
import { decodedPart } from '../../../util/decodedPart';
import { afterSequence } from '../../../util/terminalSequences';

/** The beginning of a text, with the number of characters left out. */
export function cut(text: string, length: number): DrawnText {
  if (text.length <= length) {
    return { text, omitted: 0 };
  }
  // Not within a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return { text: text.slice(0, end), omitted: text.length - end };
}

/** The end of an output, from the start of a line if possible, otherwise not from within a color sequence. */
export function cutStart(text: string, length: number): DrawnText {
  if (text.length <= length) {
    return { text, omitted: 0 };
  }
  const least = text.length - length;
  const lineEnd = text.indexOf('\n', least);
  const start =
    lineEnd === -1 || lineEnd === text.length - 1 ? afterSequence(text, least) : lineEnd + 1;
  return { text: text.slice(start), omitted: start };
}

/** A text cut to `length` characters, followed by the number of those missing. */
export function bounded(text: string, length: number): string {
  const { text: start, omitted } = cut(text, length);
  return omitted === 0 ? text : l10n.t('{0}… ({1} more characters)', start, omitted);
}

/** Relative to `cwd` if the file is inside; otherwise unchanged. */
export function shortPath(file: string, cwd: string): string {
  if (!path.isAbsolute(file) || !isInside(file, [cwd])) {
    return file;
  }
  return path.relative(cwd, file) || file;
}

/** Maximum number of characters that a row shows of a text; the whole text opens in an editor. */
export const maxText = 100_000;
/** Maximum number of base64 characters of an image. */
const maxImage = 8_000_000;

/** A block of content (CO-1 to CO-8). */
export function drawBlock(block: Block, cwd: string): DrawnBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', ...cut(block.text, maxText) };
    case 'image':
      return drawImage(block.mimeType, block.data);
    case 'audio':
      return drawLabel('audio', l10n.t('Audio'), `${block.mimeType}, ${base64Size(block.data)}`);
    case 'resource_link': {
      const detail = [block.description, block.mimeType, sizeText(block.size)];
      return {
        type: 'link',
        uri: block.uri,
        label: block.title ?? block.name,
        ...optionalDetail(detail),
      };
    }
    case 'resource': {
      const label = uriLabel(block.uri, cwd);
      return block.text === undefined
        ? drawLabel('binary', label, block.mimeType, sizeText(block.size))
        : { type: 'resource', uri: block.uri, label, ...cut(block.text, maxText) };
    }
    case 'unknown':
      return block.raw === undefined
        ? drawLabel('unknown', unknownBlock(block.label))
        : { type: 'unknown', label: unknownBlock(block.label), raw: block.raw };
  }
}

function unknownBlock(label: string): string {
  return l10n.t(
    'The agent sent something that this version of ACP Sessions doesn’t know: {0}',
    label,
  );
}

function drawImage(mimeType: string, data: string): DrawnBlock {
  const type = mimeType.toLowerCase();
  if (!imageTypes.includes(type)) {
    return drawLabel(
      'image',
      l10n.t('Image of a type that is not shown'),
      mimeType,
      base64Size(data),
    );
  }
  if (data.length > maxImage) {
    return drawLabel('image', l10n.t('Image too large to show'), mimeType, base64Size(data));
  }
  return { type: 'image', mimeType: type, data };
}

function drawLabel(
  icon: Extract<DrawnBlock, { type: 'label' }>['icon'],
  label: string,
  ...details: readonly (string | undefined)[]
): DrawnBlock {
  return { type: 'label', icon, label, ...optionalDetail(details) };
}

function optionalDetail(parts: readonly (string | undefined)[]): { detail?: string } {
  const detail = parts.filter((part) => part !== undefined && part !== '').join(', ');
  return detail === '' ? {} : { detail };
}

function uriLabel(uri: string, cwd: string): string {
  const file = /^file:\/\/(\/.*)$/i.exec(uri)?.[1];
  return file === undefined ? uri : shortPath(decodedPart(file), cwd);
}

function sizeText(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : byteSize(bytes);
}

function base64Size(base64: string): string {
  return byteSize(Math.floor((base64.length * 3) / 4));
}
