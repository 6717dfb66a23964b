import type { FromWebview, SavedState } from '../shared/transcript/webviewMessages';

/** What VS Code gives to a webview, once. */
export interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: SavedState): void;
}

declare global {
  // The name is VS Code's; a webview can call it once only.
  function acquireVsCodeApi(): VsCodeApi;
}
