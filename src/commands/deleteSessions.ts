import * as vscode from 'vscode';
import { describeFailure } from '../model/failures';
import { cleanText } from '../model/titles';
import { withViewProgress } from './newSession';
import type { SessionCommands } from './sessions';
import { canDo, type Target, targetsOf } from './target';

/** So many titles are named in a question or a message. */
const mostNamed = 10;

/** Deletes all selected sessions for good, after a question (DEL-6). What fails is named; its row stays (DEL-3). */
export async function deleteSessions(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets: Target[] = [];
  for (const target of targetsOf(commands, argument, selection)) {
    if (await canDo(target.agent, 'delete', 'delete sessions')) {
      targets.push(target);
    }
  }
  if (targets.length === 0 || !(await confirm(targets))) {
    return;
  }
  const failed = await withViewProgress(() => deleteAll(commands, targets));
  if (failed.length > 0) {
    const of = targets.length === 1 ? '' : ` (${failed.length} of ${targets.length})`;
    void vscode.window.showErrorMessage(`Not deleted${of}: ${failed.join('; ')}`);
  }
}

async function confirm(targets: readonly Target[]): Promise<boolean> {
  const [first] = targets;
  const isOne = targets.length === 1 && first !== undefined;
  const question = isOne
    ? `Delete the session “${cleanText(first.title, 120)}”?`
    : `Delete ${targets.length} sessions?`;
  const titles = targets.slice(0, mostNamed).map(({ title }) => cleanText(title, 120));
  const rest = targets.length - titles.length;
  const names = [...titles, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
  const warning = "The agent forgets what was said. This can't be undone.";
  const detail = isOne ? warning : `${names}\n\n${warning}`;
  const answer = 'Delete';
  const given = await vscode.window.showWarningMessage(question, { modal: true, detail }, answer);
  return given === answer;
}

/** One after the other; returns what went wrong, in words. */
async function deleteAll(
  { sessions, signIn }: SessionCommands,
  targets: readonly Target[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { agent, info, title } of targets) {
    try {
      await signIn.retrying(agent, () => sessions.delete(agent, info));
    } catch (error) {
      const reason =
        error instanceof vscode.CancellationError
          ? 'not signed in'
          : describeFailure(error, agent.title).title;
      failed.push(`“${cleanText(title, 60)}” (${reason})`);
    }
  }
  return failed;
}
