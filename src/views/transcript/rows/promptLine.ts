import * as l10n from '@vscode/l10n';
import { cleanText } from '../../../model/text/titles';
import type { Block } from '../../../shared/transcript/content';
import type { MessageEntry } from '../../../shared/transcript/entries';

const longest = 160;

/** A prompt as one clean line: its first text, otherwise a description of its content. */
export function promptLine({ blocks }: MessageEntry): string {
  for (const block of blocks) {
    const line = block.type === 'text' ? cleanText(block.text, longest) : '';
    if (line !== '') {
      return line;
    }
  }
  return blocks[0] === undefined ? l10n.t('Prompt') : contentLine(blocks[0]);
}

function contentLine(block: Block): string {
  switch (block.type) {
    case 'image':
      return l10n.t('Image');
    case 'audio':
      return l10n.t('Audio');
    case 'resource':
      return cleanText(block.uri, longest) || l10n.t('File');
    case 'resource_link':
      return cleanText(block.title ?? block.name, longest) || l10n.t('Link');
    case 'text':
    case 'unknown':
      return l10n.t('Prompt');
  }
}
