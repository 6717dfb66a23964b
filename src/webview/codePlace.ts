import type { CodePlace } from '../shared/transcript/webviewMessages';

/** What the host counts as a code block, too: code, and what is drawn from it. */
const codes = 'figure:is(.code, .drawn-block)';

/** Locates a code block in the model: its entry, its text there and its position in that text. */
export function findCodePlace(code: Element): CodePlace | undefined {
  const index = Number(code.getAttribute('data-entry'));
  const [part, item = '0'] = code.getAttribute('data-part')?.split('.') ?? [];
  const text = code.closest('.text');
  const at = text ? [...text.querySelectorAll(codes)].indexOf(code) : 0;
  switch (part) {
    case 'blocks':
    case 'content':
    case 'rawInput':
    case 'rawOutput':
      return { index, part, item: Number(item), at };
    default:
      return undefined;
  }
}
