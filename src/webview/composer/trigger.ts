/** The part of the text before the caret that asks for suggestions; `start` is its first character. */
export interface Trigger {
  readonly kind: 'command' | 'file';
  readonly start: number;
  /** Where the caret is. */
  readonly end: number;
  /** What follows the `/` or `@`. */
  readonly query: string;
}

const longestQuery = 200;
/** Commands stand at the very start of a prompt (CM-2). */
const command = /^\/(\S*)$/;
const mention = /(?:^|[\s([{"'`])@([^\s@]*)$/;

/** What is being completed at the caret: a slash command or the mention of a file. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - longestQuery), caret);
  const name = caret <= longestQuery ? command.exec(before)?.[1] : undefined;
  if (name !== undefined) {
    return { kind: 'command', start: 0, end: caret, query: name };
  }
  const file = mention.exec(before)?.[1];
  return file === undefined
    ? undefined
    : { kind: 'file', start: caret - file.length - 1, end: caret, query: file };
}

export interface Written {
  readonly text: string;
  readonly caret: number;
}

/** The text with `word` in the trigger's place, and one space after it. */
export function complete(text: string, trigger: Trigger, word: string): Written {
  const after = text.slice(trigger.end);
  const space = /^[ \n]/.test(after) ? '' : ' ';
  return {
    text: `${text.slice(0, trigger.start)}${word}${space}${after}`,
    caret: trigger.start + word.length + 1,
  };
}
