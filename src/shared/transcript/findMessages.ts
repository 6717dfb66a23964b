import { isObject, type JsonObject } from '../../util/json';
import { maxFindQueryLength } from './findQuery';
import type { FromWebview } from './webviewMessages';

type Find = Extract<FromWebview, { type: 'find' }>;
type Mark = Extract<FromWebview, { type: 'mark' }>;

/** Maximum count: no transcript has as many entries, and no page as many queries. */
const maxCount = 1_000_000_000;
/** Maximum rows per request, and the longest text of a row, in UTF-16 units. */
export const maxMarkedRows = 100;
export const maxMarkedTextLength = 200_000;

export function parseFind({ query, from, search }: JsonObject): Find | undefined {
  if (!isCount(query) || !isCount(from) || !isObject(search)) {
    return undefined;
  }
  const { text, matchCase, wholeWord, isPattern } = search;
  return typeof text === 'string' &&
    text.length <= maxFindQueryLength &&
    typeof matchCase === 'boolean' &&
    typeof wholeWord === 'boolean' &&
    typeof isPattern === 'boolean'
    ? { type: 'find', query, from, search: { text, matchCase, wholeWord, isPattern } }
    : undefined;
}

export function parseMark({ id, query, rows }: JsonObject): Mark | undefined {
  if (!isCount(id) || !isCount(query) || !isRows(rows)) {
    return undefined;
  }
  const parsed = rows.filter(isMarkedRow).map(({ index, text }) => ({ index, text }));
  return parsed.length === rows.length ? { type: 'mark', id, query, rows: parsed } : undefined;
}

function isMarkedRow(value: unknown): value is Mark['rows'][number] {
  return (
    isObject(value) &&
    isCount(value['index']) &&
    typeof value['text'] === 'string' &&
    value['text'].length <= maxMarkedTextLength
  );
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxCount;
}

function isRows(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= maxMarkedRows;
}
