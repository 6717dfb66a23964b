import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Repository } from '../../../model/places/repository';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import type { ReviewFiles } from '../../review/model/reviewFiles';
import { type ApplyPlan, apply, planApply } from '../model/applying';
import { getBase } from '../model/base';
import { type ChangePart, type ChangeParts, chosenOf, readParts } from '../model/changeParts';
import { readNeighborhood } from '../model/siblings';
import { gitFor, type WorktreeServices, withFiles } from '../worktreeServices';
import { workspaceTops, worktreeName } from '../worktreeTarget';
import { getList, leftSentences, leftText } from './leftTexts';
import { PartDiffs } from './partDiffs';
import { pickDestination } from './pickDestination';

type Item = vscode.QuickPickItem & { readonly part?: ChangePart };

/** A worktree that gets what is chosen. */
interface Destination {
  readonly top: string;
  readonly name: string;
}

/** What is applied, and to where. */
interface Applying {
  readonly services: WorktreeServices;
  readonly files: ReviewFiles;
  readonly place: Repository;
  /** The branch, as the user sees it. */
  readonly name: string;
  readonly into: Destination;
}

/**
 * "Apply Hunks…": brings chosen parts of what has changed in a worktree into the window's own one, or into another one of
 * the same prompt. Rejects with `WorktreeTrouble`.
 */
export async function applyHunks(services: WorktreeServices, place: Repository): Promise<void> {
  const into = await askWhere(services, place);
  if (into === undefined) {
    return;
  }
  const name = await worktreeName(place);
  await withFiles(services, (files) => chooseAndApply({ services, files, place, name, into }));
}

async function askWhere(
  services: WorktreeServices,
  place: Repository,
): Promise<Destination | undefined> {
  const tops = await workspaceTops(services, place);
  const { others } = await readNeighborhood(place, services.realPath);
  const siblings = others.filter((other) => other.isSibling && !tops.includes(other.place.top));
  const items = [
    ...tops.map((top) => {
      const name = cleanText(path.basename(top), 100);
      return { label: `$(root-folder) ${name}`, description: l10n.t('this window'), top, name };
    }),
    ...siblings.map(({ branch, place: { top } }) => {
      const name = cleanText(branch ?? path.basename(top), 100);
      return {
        label: `$(git-branch) ${name}`,
        description: l10n.t('of the same prompt'),
        top,
        name,
      };
    }),
  ];
  return pickDestination(items, l10n.t('Apply Hunks'));
}

/** Applies all that was chosen, or nothing. */
async function chooseAndApply(applying: Applying): Promise<void> {
  const { files, name, into } = applying;
  const title = l10n.t('Apply Hunks of “{0}”', name);
  const read = await withCancel(title, async (signal) => {
    const { place } = applying;
    const git = gitFor(signal);
    return readParts(git, { place, base: await getBase(git, place) }, { files, top: into.top });
  });
  const chosen = await pickParts(applying, title, read);
  if (chosen === undefined || chosen.length === 0) {
    return;
  }
  const plan = await withCancel(title, (signal) => planParts(applying, chosen, signal));
  const obstacles = getObstacles(plan, into.name);
  if (obstacles.length > 0) {
    void showErrorMessage([l10n.t('Nothing of “{0}” was applied.', name), ...obstacles].join(' '));
    return;
  }
  const left = await apply(files, plan.changes);
  const count = plan.changes.length - left.length;
  const text = l10n.t('Applied hunks of “{0}” to “{1}”: {2}.', name, into.name, fileCount(count));
  void (left.length > 0 ? showWarningMessage : showInformationMessage)(text + leftText(left));
}

async function planParts(
  { files, place, name, into }: Applying,
  chosen: readonly ChangePart[],
  signal: AbortSignal,
): Promise<ApplyPlan> {
  const git = gitFor(signal);
  const base = await getBase(git, place);
  const names = { ours: into.name, theirs: name };
  const { top } = into;
  return planApply(git, { place, base }, { top, files, names, chosen: chosenOf(chosen) });
}

/** Why the plan can't be carried out as a whole, in sentences. */
function getObstacles({ changes, left }: ApplyPlan, into: string): readonly string[] {
  const conflicts = changes.filter(({ conflict }) => conflict !== undefined);
  const conflict =
    conflicts.length > 0 &&
    l10n.t(
      'Changed differently on both sides: {0}. Leave these hunks out, or use “Apply to Workspace…”, which opens the merge editor.',
      getList(conflicts),
    );
  const sentences = [...(conflict ? [conflict] : []), ...leftSentences(left)];
  return sentences.length === 0 && changes.length === 0
    ? [l10n.t('“{0}” has these hunks already.', into)]
    : sentences;
}

/** Asks for parts; the one that has the focus is shown as a diff. `undefined`: the user cancels. */
async function pickParts(
  { services, place, name }: Applying,
  title: string,
  { parts, left }: ChangeParts,
): Promise<readonly ChangePart[] | undefined> {
  if (parts.length === 0) {
    void showInformationMessage(
      l10n.t('Nothing that could be applied has changed in “{0}” since its branch began.', name),
    );
    return undefined;
  }
  const diffs = new PartDiffs(services, place, name);
  // No row of a list with check marks has the focus at first.
  diffs.show(parts[0]);
  try {
    const picked = await vscode.window.showQuickPick<Item>(getItems(parts), {
      title,
      placeHolder:
        left > 0
          ? l10n.t('Which hunks? {0} more aren’t listed.', left)
          : l10n.t('Which hunks? The one with the focus is shown.'),
      canPickMany: true,
      ignoreFocusOut: true,
      matchOnDetail: true,
      onDidSelectItem: (item) => diffs.show((item as Item).part),
    });
    return picked?.flatMap(({ part }) => part ?? []);
  } finally {
    await diffs.close();
  }
}

function getItems(parts: readonly ChangePart[]): readonly Item[] {
  return parts.flatMap((part, index): readonly Item[] => {
    const { file, added, removed, line, touchesOwn } = part;
    const isFirst = parts[index - 1]?.file !== file;
    const label = cleanText(file.name, 300);
    const separator = { label, kind: vscode.QuickPickItemKind.Separator };
    const item: Item = {
      label: partText(part),
      description: `+${added} −${removed}`,
      detail: touchesOwn
        ? l10n.t('$(warning) Changed there, too: {0}', cleanText(line, 200))
        : cleanText(line, 200) || label,
      part,
    };
    return isFirst ? [separator, item] : [item];
  });
}

function partText({ file, hunk }: ChangePart): string {
  const { name, base, theirs } = file;
  const short = cleanText(path.posix.basename(name), 100);
  if (hunk !== undefined) {
    return l10n.t('{0}, line {1}', short, hunk.now.start);
  }
  if (base.kind === 'absent') {
    return l10n.t('{0} (new)', short);
  }
  return theirs.kind === 'absent'
    ? l10n.t('{0} (deleted)', short)
    : l10n.t('{0} (the whole file)', short);
}
