/** Bytes of an icon; those of the registry have a few thousand. */
export const maxIconBytes = 32 * 1024;
/** Tags of an icon, those that end elements too. */
export const maxTags = 600;
/** References of an icon to its own parts: a few that refer to each other repeat what they draw without end. */
export const maxReferences = 8;

/** An icon that isn't drawn; the message is for the log. */
export class IconFault extends Error {}

const shapes = ['path', 'circle', 'ellipse', 'rect', 'line', 'polyline', 'polygon'];
const groups = ['svg', 'g', 'defs', 'clipPath', 'title', 'desc'];
const beside = ['?xml', '!--'];
const known: ReadonlySet<string> = new Set([...shapes, ...groups, ...beside]);

const transform = /\stransform\s*=\s*(["'])[^"'<>=]*\1/g;
const clip = /\sclip-path\s*=\s*(["'])url\(#[\w-]+\)\1/g;

/**
 * Gives the text of an icon. It is shown as an image only, in which nothing runs and nothing is loaded; so what is
 * checked here is its form, and that a window doesn't take long to draw it.
 */
export function checkIcon(bytes: Uint8Array): string {
  if (bytes.byteLength > maxIconBytes) {
    throw new IconFault(`it has more than ${maxIconBytes} bytes`);
  }
  const text = decode(bytes).trim();
  const tags = [...text.matchAll(/<\/?(!--|[^\s/>]*)/g)].map(([, name = '']) => name);
  const isSvg = tags.find((name) => !beside.includes(name)) === 'svg';
  if (!isSvg || !text.startsWith('<') || !text.includes('http://www.w3.org/2000/svg')) {
    throw new IconFault('it is no SVG image');
  }
  const other = tags.find((name) => !known.has(name));
  if (other !== undefined) {
    throw new IconFault(`it has something else than shapes: ${other.slice(0, 40)}`);
  }
  const plain = text.replace(transform, '').replace(clip, '');
  // Filters and references take parentheses, and entities can hide them.
  if (/["'][^"'<]*\(|&/.test(plain)) {
    throw new IconFault('it has a filter, a reference or an entity');
  }
  if (tags.length > maxTags || (text.match(clip)?.length ?? 0) > maxReferences) {
    throw new IconFault('it takes too long to draw');
  }
  return text;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new IconFault('it is no UTF-8');
  }
}
