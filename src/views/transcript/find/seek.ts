import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Direction, Landmark } from '../../../shared/transcript/outline';

const missing: Readonly<Record<Direction, Readonly<Record<Landmark, string>>>> = {
  next: {
    turn: l10n.t('No turn after this one'),
    toolCall: l10n.t('No tool call after this one'),
    diff: l10n.t('No change after this one'),
    error: l10n.t('No error after this one'),
  },
  previous: {
    turn: l10n.t('No turn before this one'),
    toolCall: l10n.t('No tool call before this one'),
    diff: l10n.t('No change before this one'),
    error: l10n.t('No error before this one'),
  },
};
/** How long the status bar shows the message, in ms. */
const shown = 4000;

/** Shows that there is nothing further in this direction, instead of doing nothing. */
export function sayNoneLeft(target: Landmark, direction: Direction): void {
  vscode.window.setStatusBarMessage(missing[direction][target], shown);
}
