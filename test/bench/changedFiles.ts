/** Files that an agent is said to have changed, in two places each. */
export const fileCount = 200;
export const changedLines: readonly number[] = [10, 60];

const addition = ' The agent was here.';

/** The lines of a file before the agent changed it. */
export function linesBefore(name: string): readonly string[] {
  return Array.from({ length: 100 }, (_, line) => `Line ${line} of ${name}.`);
}

export function textBefore(name: string): string {
  return `${linesBefore(name).join('\n')}\n`;
}

export function textAfter(name: string): string {
  const lines = linesBefore(name);
  const changed = lines.map((line, at) => (changedLines.includes(at) ? line + addition : line));
  return `${changed.join('\n')}\n`;
}

export const fileNames: readonly string[] = Array.from(
  { length: fileCount },
  (_, at) => `file${at}.txt`,
);
