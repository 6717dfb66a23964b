/**
 * VS Code's lists draw `$(name)` as an icon, whoever wrote it (https://github.com/microsoft/vscode/issues/317145);
 * an agent's text stays text (PE-9).
 */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
