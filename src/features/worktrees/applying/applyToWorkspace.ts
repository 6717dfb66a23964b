import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Repository } from '../../../model/places/repository';
import { fileCount } from '../../../model/text/fileCount';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import type { Preview, PreviewChoice, PreviewedFile } from '../../../views/previews/previews';
import type { ReviewFiles } from '../../review/model/reviewFiles';
import {
  type ApplyPlan,
  apply,
  type ConflictTexts,
  type PlannedChange,
  planApply,
} from '../model/applying';
import { getBase } from '../model/base';
import { readNeighborhood } from '../model/siblings';
import { type LeftChange, maxShownFiles } from '../model/worktreeChanges';
import { remove } from '../removing/removing';
import { gitFor, type WorktreeServices, withFiles, withTrouble } from '../worktreeServices';
import { type WorktreeTarget, workspaceTops, worktreeName } from '../worktreeTarget';
import { getList, leftSentences, leftText } from './leftTexts';
import { pickDestination } from './pickDestination';

/** Conflicts whose editors open by themselves. */
const maxOpenedConflicts = 5;

/**
 * "Apply to Workspace": brings what has changed in a worktree into the window's own one, as uncommitted changes, after
 * a preview. What the user has changed in the same files is merged with it.
 */
export async function applyToWorkspace(
  services: WorktreeServices,
  target: WorktreeTarget,
): Promise<void> {
  const top = await destination(services, target.place);
  if (top !== undefined) {
    await withFiles(services, (files) => applyFrom(services, files, target, top));
  }
}

async function applyFrom(
  services: WorktreeServices,
  files: ReviewFiles,
  { place }: WorktreeTarget,
  top: string,
): Promise<void> {
  const name = await worktreeName(place);
  const title = l10n.t('Apply “{0}” to the Workspace', name);
  const planNow = async (): Promise<ApplyPlan | undefined> => {
    const plan = await withCancel(title, async (signal) => {
      const git = gitFor(signal);
      const base = await getBase(git, place);
      const names = { ours: l10n.t('Workspace'), theirs: name };
      return planApply(git, { place, base }, { top, files, names });
    });
    if (plan.changes.length === 0) {
      void showInformationMessage(
        `${l10n.t('The workspace has all changes of “{0}” already.', name)}${leftText(plan.left)}`,
      );
      return undefined;
    }
    return plan;
  };
  const answer = await services.previews.ask(place.top, planNow, (plan) =>
    getPreview(services, files, title, plan),
  );
  if (answer !== undefined) {
    const { changes, left } = answer.plan;
    const chosen = answer.choice === 'apply' ? changes : changes.filter(isSmooth);
    const failed = await apply(files, chosen);
    await tell(services, { chosen, name, left: [...left, ...failed], place });
  }
}

/** The worktree of the same repository that this window is about; `undefined`: the user cancels. */
async function destination(
  services: WorktreeServices,
  place: Repository,
): Promise<string | undefined> {
  const tops = await workspaceTops(services, place);
  const all = tops.map((label) => ({ label }));
  return (await pickDestination(all, l10n.t('Apply to Workspace')))?.label;
}

async function getPreview(
  { documents }: WorktreeServices,
  files: ReviewFiles,
  title: string,
  plan: ApplyPlan,
): Promise<Preview<Extract<PreviewChoice, 'apply' | 'applyWithoutConflicts'>>> {
  const { changes } = plan;
  const shown: PreviewedFile[] = [];
  const unshown: PlannedChange[] = changes.slice(maxShownFiles);
  for (const change of changes.slice(0, maxShownFiles)) {
    const { file, kind, replacement } = change;
    const uri = vscode.Uri.file(file);
    const { wanted } = replacement;
    const text = wanted && (await files.decode(file, wanted));
    if (wanted === undefined || text !== undefined) {
      const after = text === undefined ? undefined : documents.addState(uri, text);
      shown.push([uri, kind === 'added' ? undefined : uri, after]);
    } else {
      unshown.push(change);
    }
  }
  const conflicts = changes.filter((change) => !isSmooth(change));
  const offersSome = conflicts.length > 0 && conflicts.length < changes.length;
  return {
    title,
    question: l10n.t(
      'Files that change, uncommitted: {0}. Below is what would change.',
      changes.length,
    ),
    choices: [
      ['apply', l10n.t('The files change in the workspace. They aren’t committed.')],
      ...(offersSome
        ? [['applyWithoutConflicts', l10n.t('Stays as it is: {0}.', getList(conflicts))] as const]
        : []),
    ],
    notes: getNotes(plan, unshown),
    files: shown,
  };
}

function isSmooth({ conflict }: PlannedChange): boolean {
  return conflict === undefined;
}

/** What stays or needs attention, in whole sentences. */
function getNotes(
  { changes, left }: ApplyPlan,
  unshown: readonly PlannedChange[],
): readonly string[] {
  const merged = changes.filter((change) => change.isMerged && isSmooth(change));
  const conflicts = changes.filter((change) => !isSmooth(change));
  return [
    ...(merged.length > 0 ? [l10n.t('Merged with your own changes: {0}.', getList(merged))] : []),
    ...(conflicts.length > 0
      ? [
          l10n.t(
            'Changed differently on both sides: {0}. Both texts are put into the file, and the merge editor opens.',
            getList(conflicts),
          ),
        ]
      : []),
    ...(unshown.length > 0
      ? [l10n.t('They change, too, but aren’t below: {0}.', getList(unshown))]
      : []),
    ...leftSentences(left),
  ];
}

async function tell(
  services: WorktreeServices,
  done: {
    readonly chosen: readonly PlannedChange[];
    readonly name: string;
    readonly left: readonly LeftChange[];
    readonly place: Repository;
  },
): Promise<void> {
  const { chosen, name, left, place } = done;
  const failed = new Set(left.map((change) => change.name));
  const applied = chosen.filter((change) => !failed.has(change.name));
  const text = l10n.t('Applied {0} of “{1}” to the workspace.', fileCount(applied.length), name);
  const say = left.length > 0 ? showWarningMessage : showInformationMessage;
  const neighborhood = await readNeighborhood(place, services.realPath);
  const others = neighborhood.others.filter(({ isSibling }) => isSibling);
  const removeOthers = l10n.t('Remove the Others…');
  void say(`${text}${leftText(left)}`, ...(others.length > 0 ? [removeOthers] : [])).then(
    (answer) =>
      answer === removeOthers
        ? removeAll(
            services,
            others.map((other) => other.place),
          )
        : undefined,
  );
  const conflicts = applied.filter(({ conflict }) => conflict !== undefined);
  for (const { file, conflict } of conflicts.slice(0, maxOpenedConflicts)) {
    if (conflict !== undefined) {
      await openMerge(services, vscode.Uri.file(file), conflict, name);
    }
  }
}

/** Removes worktrees after a question about each. */
async function removeAll(services: WorktreeServices, places: readonly Repository[]): Promise<void> {
  for (const place of places) {
    await withTrouble(services, () => remove(services, place));
  }
}

/** VS Code's merge editor, as its own Git opens it; otherwise the file, which has both texts. */
async function openMerge(
  { documents }: WorktreeServices,
  output: vscode.Uri,
  { base, ours, theirs }: ConflictTexts,
  name: string,
): Promise<void> {
  const state = (text: string): vscode.Uri => documents.addState(output, text);
  try {
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: state(base),
      input1: { uri: state(ours), title: l10n.t('Workspace') },
      input2: { uri: state(theirs), title: name },
      output,
    });
  } catch {
    await vscode.commands.executeCommand('vscode.open', output);
  }
}
