/**
 * Terminal sequences: CSI, OSC and similar ones with their terminators, then two-character escapes.
 */
export const terminalSequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]P^_X]|[\u009d\u0090\u009e\u009f\u0098])[^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/gu;

/** Longest sequence that is looked for around a cut. */
const maxSequence = 4096;

/** The first place from `at` on that isn't inside a terminal sequence, so that a cut there loses a whole one. */
export function afterSequence(text: string, at: number): number {
  const from = Math.max(0, at - maxSequence);
  for (const { index, 0: sequence } of text
    .slice(from, at + maxSequence)
    .matchAll(terminalSequences)) {
    const start = from + index;
    if (start >= at) {
      break;
    }
    if (start + sequence.length > at) {
      return start + sequence.length;
    }
  }
  return at;
}
