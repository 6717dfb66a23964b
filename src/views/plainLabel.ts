/** VS Code's lists draw `$(name)` as an icon; text of an agent's stays text (PE-9). */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
