import { asArray, isObject, type JsonObject } from '../../../util/json';
import type { SessionUpdate } from '../../updates';
import type { Unusable } from './readEvent';

/** As many as there is room for above the composer. */
const maxSuggestions = 5;
/** UTF-16 units of a prompt; a longer one is left out, because a part of it would ask for something else. */
const maxPrompt = 2_000;
/** What turns the direction of a text, or stands in it without being seen: whoever takes it must have read it. */
const unseen = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/**
 * `prompt_suggestions_update`: what the user may want to send next (T-93). A prompt that isn't only text that can be
 * seen is left out; a list that is empty takes back what was suggested before.
 */
export function readSuggestions({ suggestions }: JsonObject): SessionUpdate | Unusable {
  if (!Array.isArray(suggestions)) {
    return 'prompt_suggestions_update without suggestions';
  }
  const texts = new Set<string>();
  for (const suggestion of suggestions as readonly unknown[]) {
    const text = isObject(suggestion) ? readPrompt(suggestion['prompt']) : undefined;
    if (text !== undefined) {
      texts.add(text);
    }
    if (texts.size === maxSuggestions) {
      break;
    }
  }
  return { sessionUpdate: 'prompt_suggestions_update', suggestions: [...texts] };
}

function readPrompt(prompt: unknown): string | undefined {
  let text = '';
  for (const block of asArray(prompt)) {
    if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') {
      return undefined;
    }
    text += block['text'];
    if (text.length > maxPrompt) {
      return undefined;
    }
  }
  return unseen.test(text) ? undefined : text.trim() || undefined;
}
