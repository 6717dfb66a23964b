/**
 * VS Code's lists render `$(name)` as an icon, also in text from outside
 * (https://github.com/microsoft/vscode/issues/317145); this keeps an agent's text literal (PE-9).
 */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
