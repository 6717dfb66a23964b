import { boundedJson } from '../../protocol/bounds';

/** UTF-16 units of a text that is parsed; larger ones are shown as they are. */
const longest = 1_000_000;

/** What a text says that is a JSON object or list, within the bounds of what an agent sends; otherwise `undefined`. */
export function parsedJson(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > longest) {
    return undefined;
  }
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text.slice(-20))) {
    return undefined;
  }
  try {
    return boundedJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}
