import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { tinted } from './tinted';

/** VS Code's own colors of icons. */
const [onLight, onDark] = ['#424242', '#c5c5c5'];

/**
 * An agent's icon, or the one for all of them. As data in its own address, there is no file that could be another one
 * when it is drawn.
 */
export function agentIcon(icon: string | undefined): vscode.IconPath {
  return icon === undefined
    ? new vscode.ThemeIcon('hubot')
    : { light: drawn(icon, onLight), dark: drawn(icon, onDark) };
}

function drawn(icon: string, color: string): vscode.Uri {
  const data = Buffer.from(tinted(icon, color)).toString('base64');
  return vscode.Uri.parse(`data:image/svg+xml;base64,${data}`);
}
