import * as l10n from '@vscode/l10n';

/** More than that is for no editor. */
const mostCharacters = 100_000_000;
/** Deeper values are for no reader, and overflow whoever walks them by calls. */
const deepest = 500;
/** Characters that may go into indenting; beyond, the text would be made of little else. */
const mostIndent = 10_000_000;

/** The whole of a tool's raw input or output as text: a text as it is, all else as formatted JSON. */
export function rawText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  const indent = indentOf(value);
  if (indent === undefined) {
    return l10n.t('This is too large, or nested too deeply, to be shown.');
  }
  return JSON.stringify(value, undefined, indent > mostIndent ? 0 : 2);
}

/** Characters that indenting takes; `undefined` for what is too large, or nested too deeply. */
function indentOf(value: unknown): number | undefined {
  let indent = 0;
  let characters = 0;
  const open: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, depth } = next;
    characters += typeof part === 'string' ? part.length : 1;
    if (depth > deepest || characters > mostCharacters) {
      return undefined;
    }
    indent += 2 * depth;
    if (typeof part === 'object' && part !== null) {
      for (const [name, inner] of Object.entries(part)) {
        characters += name.length;
        open.push({ part: inner, depth: depth + 1 });
      }
    }
  }
  return indent;
}
