import { placeholder } from './placeholder';

/** Lines of a patch that say nothing but what kind of change it is. */
const bare =
  /^(?:(?:old mode|new mode|deleted file mode|new file mode) \d{6}|(?:dis)?similarity index \d{1,3}%|GIT binary patch|\\ No newline at end of file|(?:---|\+\+\+) \/dev\/null)$/;
/** Beginnings of lines that are followed by paths, or by the text beside a hunk. */
const head =
  /^(?:diff --git |(?:rename|copy) (?:from|to) |index |--- |\+\+\+ |@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@)/;
const binary = /^(Binary files )(.*)( and )(.*)( differ)$/;

/** The placeholder of a patch of Git (V2-DIFF-4): still one, with the same changes, but without its paths and lines. */
export function patchPlaceholder(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (bare.test(line)) {
        return line;
      }
      const kept = head.exec(line)?.[0] ?? '';
      // Looked at only if it ends as such a line does: agents choose the text, so the time must be linear.
      return line.startsWith('Binary files ') && line.endsWith(' differ')
        ? binaryPlaceholder(line)
        : kept + placeholder(line.slice(kept.length));
    })
    .join('\n');
}

function binaryPlaceholder(line: string): string {
  const [, before, from = '', and, to = '', after] = binary.exec(line) ?? [];
  const side = (path: string): string => (path === '/dev/null' ? path : placeholder(path));
  return before === undefined
    ? placeholder(line)
    : [before, side(from), and, side(to), after].join('');
}
