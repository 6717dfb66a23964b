import type { ToolContent } from '../../shared/transcript/content';
import { isObject } from '../../util/json';
import { isSessionLink, toolContentItem } from '../shapes/normaliseContent';
import { BoundedContent } from './boundedContent';
import { readDiff } from './readDiff';

/**
 * Content of a tool call: `null` clears it (V2-TOOL-4). `undefined` means "unchanged": the value isn't a list, or none
 * of its items can be read.
 */
export function readToolContent(value: unknown): readonly ToolContent[] | undefined {
  if (value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    return undefined;
  }
  const content = new BoundedContent();
  let isReadable = value.length === 0;
  for (let index = 0; index < value.length; index++) {
    if (content.isFull) {
      content.leaveOut(value.length - index);
      break;
    }
    isReadable = addItem(value[index], content) || isReadable;
  }
  return isReadable ? content.items() : undefined;
}

/** Adds an item, several for a diff of several files; `false` if it can't be read. */
function addItem(value: unknown, content: BoundedContent): boolean {
  // A link to a subagent's session isn't shown as content.
  if (isSessionLink(value)) {
    return true;
  }
  if (isObject(value) && value['type'] === 'diff' && readDiff(value, content)) {
    return true;
  }
  const item = toolContentItem(value);
  if (item !== undefined) {
    content.add(item);
  }
  return item !== undefined;
}
