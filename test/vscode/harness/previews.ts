import * as vscode from 'vscode';
import { extension, waitFor } from './support';

/** A preview that asked. */
export interface ShownPreview {
  readonly title: string;
  readonly choices: readonly string[];
  /** What it said above the files, as it is shown and with its paragraphs in one line each. */
  readonly lines: readonly string[];
  readonly text: string;
}

/** Stands in for the user: decides in the next preview by this command; `undefined` closes it. */
export async function decideInPreview(choice: string | undefined): Promise<ShownPreview> {
  const shown = await shownPreview();
  if (choice === undefined) {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    await vscode.window.tabGroups.close(activeTab ?? []);
  } else {
    await vscode.commands.executeCommand(`acpSessions.preview.${choice}`);
  }
  return shown;
}

/** The preview in the active editor, once it asks. */
export async function shownPreview(): Promise<ShownPreview> {
  const { previews } = extension().exports;
  const { title, choices } = await waitFor(() => previews.active, 'a preview that asks');
  const document = await waitFor(
    () =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.path.endsWith('/What Is Asked.txt'))
        .sort((a, b) => Number(b.uri.query) - Number(a.uri.query))[0],
    'its text',
  );
  const text = document.getText();
  return { title, choices, lines: text.split('\n'), text: text.replaceAll('\n    ', ' ') };
}

/** The labels of all tabs. */
export function tabLabels(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
}
