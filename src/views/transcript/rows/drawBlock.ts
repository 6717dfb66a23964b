import * as l10n from '@vscode/l10n';
import { byteSize } from '../../../shared/byteSize';
import type { Block } from '../../../shared/transcript/content';
import type { DrawnBlock } from '../../../shared/transcript/drawn';
import { imageTypes } from '../../../shared/transcript/parseDraft';
import { decodedPart } from '../../../util/decodedPart';
import { cut, shortPath } from './drawTexts';

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
      const detail = [block.description, block.mimeType, sizeOf(block.size)];
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
        ? drawLabel('binary', label, block.mimeType, sizeOf(block.size))
        : { type: 'resource', uri: block.uri, label, ...cut(block.text, maxText) };
    }
    case 'unknown':
      return drawLabel(
        'unknown',
        l10n.t(
          'The agent sent something that this version of ACP Sessions doesn’t know: {0}',
          block.label,
        ),
      );
  }
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

function sizeOf(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : byteSize(bytes);
}

function base64Size(base64: string): string {
  return byteSize(Math.floor((base64.length * 3) / 4));
}
