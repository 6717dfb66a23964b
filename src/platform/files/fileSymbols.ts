import * as vscode from 'vscode';

/** The symbols that VS Code finds in the workspace's files for a query, with their names alone (`bareName`). */
export async function fileSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return (found ?? [])
    .filter(({ location }) => location.uri.scheme === 'file')
    .map(({ name, kind, containerName, location }) => {
      return { name: bareName(name), kind, containerName, location };
    });
}

/** A symbol's name without its parameters: language servers write functions as `total()` or `total(int count)`. */
export function bareName(name: string): string {
  return name.replace(/(?<=.)\(.*$/, '');
}
