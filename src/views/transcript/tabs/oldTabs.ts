import * as vscode from 'vscode';
import { viewIds } from '../../../platform/ids';
import { parseSavedState } from '../../../shared/transcript/validators';
import type { TranscriptPanels } from './panels';

/**
 * Replaces tabs of earlier versions, which VS Code restores as webview panels, with tabs of the
 * same sessions.
 */
export function takeOverOldTabs(panels: Pick<TranscriptPanels, 'bringBack'>): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewIds.transcript, {
    deserializeWebviewPanel: (panel, state) => takeOver(panels, panel, state),
  });
}

/** Shows the session of an old tab in its place, and closes the old tab. */
export async function takeOver(
  panels: Pick<TranscriptPanels, 'bringBack'>,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  const saved = parseSavedState(state)?.saved;
  try {
    if (saved !== undefined) {
      const { viewColumn = vscode.ViewColumn.Active, active } = panel;
      await panels.bringBack(saved, { viewColumn, preserveFocus: !active, preview: false });
    }
  } finally {
    panel.dispose();
  }
}
