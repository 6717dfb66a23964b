import type { Entry } from '../../../../../src/shared/transcript/entries';
import { conversation, toolCall } from '../entries';

/** A conversation with occasional changes and failures. */
export function eventful(count: number): Entry[] {
  return conversation(count).map((entry, index) => {
    if (index % 130 === 41) {
      return toolCall({ title: `Failed ${index}`, toolCallId: `call-${index}`, status: 'failed' });
    }
    if (index % 70 === 22) {
      const content = [{ type: 'diff', path: '/a.ts', oldText: 'a', newText: 'b' }] as const;
      return toolCall({ title: `Edit ${index}`, toolCallId: `call-${index}`, content });
    }
    return entry;
  });
}
