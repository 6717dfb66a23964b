import { mentionMark } from '../../../shared/prompt/promptMention';

/**
 * The part of the text before the caret that triggers suggestions; `start` is the offset of its
 * first character.
 */
export interface Trigger {
  readonly kind: 'command' | 'mention';
  readonly start: number;
  /** The caret's offset. */
  readonly end: number;
  /** The text after the `/` or `@`, which may be fullwidth, as input methods write them. */
  readonly query: string;
}

const maxQueryLength = 200;
/** A command must start the prompt (CM-2). */
const command = /^[/／](\S*)$/;
const mention = new RegExp(`${mentionMark}([^\\s@＠]*)$`, 'u');

/** The completion at the caret: a slash command or a mention. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - maxQueryLength), caret);
  const name = caret <= maxQueryLength ? command.exec(before)?.[1] : undefined;
  if (name !== undefined) {
    return { kind: 'command', start: 0, end: caret, query: name };
  }
  const named = mention.exec(before)?.[1];
  return named === undefined
    ? undefined
    : { kind: 'mention', start: caret - named.length - 1, end: caret, query: named };
}

export interface Written {
  readonly text: string;
  readonly caret: number;
}

/** Replaces the trigger with `word`, followed by one space. */
export function complete(text: string, trigger: Trigger, word: string): Written {
  const after = text.slice(trigger.end);
  const space = /^[ \n]/.test(after) ? '' : ' ';
  return {
    text: `${text.slice(0, trigger.start)}${word}${space}${after}`,
    caret: trigger.start + word.length + 1,
  };
}

/** The text with the `/` that agents read before one of their commands, where it was written as `／`. */
export function withPlainCommand(
  text: string,
  commands: readonly { readonly name: string }[],
): string {
  const name = /^／(\S+)/.exec(text)?.[1];
  return commands.some((known) => known.name === name) ? `/${text.slice(1)}` : text;
}
