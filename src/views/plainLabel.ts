/** VS Code's lists draw `$(name)` as an icon; text of an agent's stays text (PE-9). */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** VS Code's messages draw `[text](command:…)` as a link, which can run commands; text of an agent's stays text. */
export function plainMessage(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}
