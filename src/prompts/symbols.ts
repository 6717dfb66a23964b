import * as vscode from 'vscode';

/** Symbols of the workspace's files that VS Code finds for a text. */
export async function fileSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return (found ?? []).filter(({ location }) => location.uri.scheme === 'file');
}
