import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../../model/agent';
import { sessionName, titleAbout } from '../../../model/agents/whose';
import { describeFailure } from '../../../model/failures/failures';
import { plainMessage, showErrorMessage } from '../../../platform/ui/messages';
import { type Ability, canDo } from '../../agents/abilities';
import { named } from '../../named';
import type { CommandServices } from '../commandServices';
import { withViewProgress } from '../newSession';
import type { CommandTarget } from '../sessionTarget';

/**
 * The targets whose agents support this. Starts agents if necessary, and tells the user once about
 * each agent that doesn't support it.
 */
export async function ableTargets(
  targets: readonly CommandTarget[],
  ability: Ability,
): Promise<readonly CommandTarget[]> {
  const able = new Set<Agent>();
  for (const agent of new Set(targets.map((target) => target.agent))) {
    if (await canDo(agent, ability)) {
      able.add(agent);
    }
  }
  return targets.filter(({ agent }) => able.has(agent));
}

export interface BulkWords {
  /** The action in progress: "Deleting sessions". */
  readonly doing: string;
  /** The label of those that failed: "Not deleted". */
  readonly failed: string;
}

/**
 * Runs `work` for one session after the other, with a common progress that can be canceled between
 * sessions. One message lists all failures with their reasons. Returns the successful ones.
 */
export async function forEachTarget(
  { signIn }: CommandServices,
  targets: readonly CommandTarget[],
  words: BulkWords,
  work: (target: CommandTarget) => Promise<void>,
): Promise<readonly CommandTarget[]> {
  const done: CommandTarget[] = [];
  const failed: string[] = [];
  await withBulkProgress(words.doing, targets, async (target, show) => {
    try {
      await signIn.retrying(target.agent, () => show(() => work(target)));
      done.push(target);
    } catch (error) {
      failed.push(`${sessionName(target)}: ${getReason(error, target.agent)}`);
    }
  });
  if (failed.length > 0) {
    const names = named(failed).join('; ');
    void showErrorMessage(
      targets.length === 1
        ? `${words.failed} – ${names}`
        : l10n.t('{0} ({1} of {2}) – {3}', words.failed, failed.length, targets.length, names),
    );
  }
  return done;
}

/** Shows progress while `work` runs. */
type ShowProgress = (work: () => Promise<void>) => Promise<void>;

/**
 * A single session's progress shows in the view, but not while a question is open; the progress of several shows a
 * count and can be canceled.
 */
async function withBulkProgress(
  doing: string,
  targets: readonly CommandTarget[],
  work: (target: CommandTarget, show: ShowProgress) => Promise<void>,
): Promise<void> {
  const [first, second] = targets;
  if (first !== undefined && second === undefined) {
    await work(first, withViewProgress);
    return;
  }
  const title = plainMessage(titleAbout(doing, ...targets.map(({ agent }) => agent)));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  await vscode.window.withProgress(options, async (progress, token) => {
    for (const [index, target] of targets.entries()) {
      if (token.isCancellationRequested) {
        return;
      }
      progress.report({
        message: l10n.t('{0} of {1}', index + 1, targets.length),
        increment: 100 / targets.length,
      });
      await work(target, (run) => run());
    }
  });
}

function getReason(error: unknown, agent: Agent): string {
  if (error instanceof vscode.CancellationError) {
    return l10n.t('not signed in');
  }
  const { title, said } = describeFailure(error, agent.title);
  return said === undefined ? title : `${title}: “${said}”`;
}
