import * as vscode from 'vscode';

/** The symbols that VS Code finds in the workspace's files for a query. */
export async function fileSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return (found ?? []).filter(({ location }) => location.uri.scheme === 'file');
}
