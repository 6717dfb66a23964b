import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readSize } from '../../../model/files/folderSize';
import { mapAtOnce } from '../../../util/async';
import { DisposableStore } from '../../../util/disposable';
import { readBranchState } from '../model/branchState';
import { WorktreeTrouble } from '../model/trouble';
import { gitFor, type WorktreeServices } from '../worktreeServices';
import type { TitledSession } from '../worktreeTarget';
import {
  type Candidate,
  type CandidateFacts,
  type CleanUpRow,
  cleanUpRows,
  isDone,
} from './cleanUpRows';
import { readShownLosses } from './removing';

const readAtOnce = 2;
/** New rows lose a check mark that VS Code hasn't told of yet: they come seldom, and what is known by then together. */
const redrawMs = 400;

export interface CleanUpChoice {
  readonly worktrees: readonly Candidate[];
  readonly sessions: readonly TitledSession[];
}

/**
 * Lets the user choose of these worktrees, and of the sessions of merged ones. The list is there at once; states and
 * sizes come as they are known, and those in which nothing is left to do are checked then.
 */
export async function pickWorktrees(
  services: WorktreeServices,
  candidates: readonly Candidate[],
): Promise<CleanUpChoice | undefined> {
  const store = new DisposableStore();
  const end = new AbortController();
  const picker = store.add(createPicker());
  const facts = new Map<Candidate, CandidateFacts>();
  const done = new Set<Candidate>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const keys = new Set(picker.selectedItems.map(({ key }) => key));
    const rows = cleanUpRows(candidates, facts, Date.now());
    picker.items = rows;
    picker.selectedItems = rows.filter(
      ({ key, removes }) => keys.has(key) || (removes !== undefined && done.has(removes)),
    );
    done.clear();
  };
  show();
  picker.show();
  const looking = look(services, candidates, end.signal, (candidate, found) => {
    facts.set(candidate, { ...facts.get(candidate), ...found });
    if ('state' in found && isDone(candidate, found)) {
      done.add(candidate);
    }
    timer ??= setTimeout(show, redrawMs);
  }).finally(() => {
    if (!end.signal.aborted) {
      show();
    }
    picker.busy = end.signal.aborted;
  });
  try {
    const chosen = await new Promise<readonly CleanUpRow[] | undefined>((resolve, reject) => {
      store.add(picker.onDidAccept(() => resolve(picker.selectedItems)));
      store.add(picker.onDidHide(() => resolve(undefined)));
      looking.catch(reject);
    });
    return (
      chosen && {
        worktrees: chosen.flatMap(({ removes }) => removes ?? []),
        sessions: chosen.flatMap(({ archives }) => archives ?? []),
      }
    );
  } finally {
    end.abort();
    clearTimeout(timer);
    store.dispose();
  }
}

function createPicker(): vscode.QuickPick<CleanUpRow> {
  const picker = vscode.window.createQuickPick<CleanUpRow>();
  picker.title = l10n.t('Clean Up Worktrees');
  picker.placeholder = l10n.t('What is checked is removed or archived; you are asked once more.');
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = true;
  picker.keepScrollPosition = true;
  picker.busy = true;
  return picker;
}

type Found = (candidate: Candidate, facts: CandidateFacts) => void;

/** Looks at all of them until `signal` aborts. */
async function look(
  services: WorktreeServices,
  candidates: readonly Candidate[],
  signal: AbortSignal,
  found: Found,
): Promise<void> {
  const git = gitFor(signal);
  const tell: Found = (candidate, facts) => {
    if (!signal.aborted) {
      found(candidate, facts);
    }
  };
  const states = mapAtOnce(candidates, readAtOnce, async (candidate) => {
    try {
      const state = await readBranchState(git, candidate.place);
      const losses = await readShownLosses(services, candidate.place, signal);
      tell(candidate, { state, losses });
    } catch (error) {
      if (!(error instanceof WorktreeTrouble)) {
        throw error;
      }
      tell(candidate, { trouble: error.message });
    }
  });
  const sizes = mapAtOnce(candidates, readAtOnce, async (candidate) =>
    tell(candidate, { size: await readSize(candidate.place.top, signal) }),
  );
  await Promise.all([states, sizes]);
}
