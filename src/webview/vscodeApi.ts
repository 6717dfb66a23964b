import type { FromWebview, SavedState } from '../shared/transcript/webviewMessages';

/** The API that VS Code hands to a webview. */
export interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: SavedState): void;
}

declare global {
  // Named by VS Code; a webview may call it only once.
  function acquireVsCodeApi(): VsCodeApi;
}
