import * as l10n from '@vscode/l10n';

/** Larger values are too large for an editor. */
const maxCharacters = 100_000_000;
/** Deeper values are unreadable, and overflow the stack of recursive code. */
const deepest = 500;
/** Limit for indentation, in characters; a text with more would consist of little else. */
const maxIndentCharacters = 10_000_000;

/**
 * A tool's complete raw input or output as text: a string as it is, other values as formatted JSON.
 */
export function rawText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  const indent = measureIndent(value);
  if (indent === undefined) {
    return l10n.t('This value is too large or too deeply nested to be shown.');
  }
  return JSON.stringify(value, undefined, indent > maxIndentCharacters ? 0 : 2);
}

/**
 * Characters that indentation takes; `undefined` if the value is too large or nested too deeply.
 */
function measureIndent(value: unknown): number | undefined {
  let indent = 0;
  let characters = 0;
  const open: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, depth } = next;
    characters += typeof part === 'string' ? part.length : 1;
    if (depth > deepest || characters > maxCharacters) {
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
