import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Direction, Landmark } from '../../shared/transcript/outline';
import type { FoldKind } from '../../shared/transcript/savedFolds';
import { isObject } from '../../util/json';

/** Without a direction: the latest entry, or a turn that the user chooses. */
type Step =
  | { readonly to: Landmark; readonly direction: Direction }
  | { readonly to: 'latest' | 'turn'; readonly direction?: undefined };

interface Fold {
  readonly what: FoldKind | 'all';
  readonly open: boolean;
}

/** Where "Go to Place in Transcript…" can go, in the order of its list. */
function getSteps(): readonly (vscode.QuickPickItem & Step)[] {
  return [
    { label: l10n.t('Turn…'), to: 'turn' },
    { label: l10n.t('Latest Entry'), to: 'latest' },
    { label: l10n.t('Next Turn'), to: 'turn', direction: 'next' },
    { label: l10n.t('Previous Turn'), to: 'turn', direction: 'previous' },
    { label: l10n.t('Next Tool Call'), to: 'toolCall', direction: 'next' },
    { label: l10n.t('Previous Tool Call'), to: 'toolCall', direction: 'previous' },
    { label: l10n.t('Next Change'), to: 'diff', direction: 'next' },
    { label: l10n.t('Previous Change'), to: 'diff', direction: 'previous' },
    { label: l10n.t('Next Error'), to: 'error', direction: 'next' },
    { label: l10n.t('Previous Error'), to: 'error', direction: 'previous' },
  ];
}

/** What "Collapse or Expand…" can do, in the order of its list. */
function getFolds(): readonly (vscode.QuickPickItem & Fold)[] {
  return [
    { label: l10n.t('Collapse All'), what: 'all', open: false },
    { label: l10n.t('Expand All'), what: 'all', open: true },
    { label: l10n.t('Collapse All Thoughts'), what: 'thought', open: false },
    { label: l10n.t('Expand All Thoughts'), what: 'thought', open: true },
    { label: l10n.t('Collapse All Tool Calls'), what: 'tool', open: false },
    { label: l10n.t('Expand All Tool Calls'), what: 'tool', open: true },
  ];
}

/** The step that a keybinding's `args` name, or that the user chooses; `undefined` if they choose none. */
export async function chooseStep(argument: unknown): Promise<Step | undefined> {
  const steps = getSteps();
  const { to, direction } = isObject(argument) ? argument : {};
  return (
    steps.find((step) => step.to === to && step.direction === direction) ??
    (await vscode.window.showQuickPick(steps, { title: l10n.t('Go to Place in Transcript') }))
  );
}

/** The choice that a keybinding's `args` name, or that the user makes; `undefined` if they make none. */
export async function chooseFold(argument: unknown): Promise<Fold | undefined> {
  const folds = getFolds();
  const { what, open } = isObject(argument) ? argument : {};
  return (
    folds.find((fold) => fold.what === what && fold.open === open) ??
    (await vscode.window.showQuickPick(folds, { title: l10n.t('Collapse or Expand') }))
  );
}
