import * as vscode from 'vscode';
import type { Direction, Landmark } from '../../shared/outline';

const names: Readonly<Record<Landmark, string>> = {
  turn: 'turn',
  toolCall: 'tool call',
  diff: 'change',
  error: 'error',
};
/** How long the status bar says so, in ms. */
const shown = 4000;

/** Says that there is nothing further to go to, instead of doing nothing. */
export function sayNoneLeft(target: Landmark, direction: Direction): void {
  const where = direction === 'next' ? 'after' : 'before';
  vscode.window.setStatusBarMessage(`No ${names[target]} ${where} this one`, shown);
}
