import * as l10n from '@vscode/l10n';
import type { ServedSession } from '../../../model/session/ownServers';
import { cleanText } from '../../../model/text/titles';
import { lineOf, shownRun } from '../model/tasks/shownRun';
import { describeEnd, type TaskEnd } from '../model/tasks/taskEnd';
import type { TaskStep } from '../model/tasks/taskPlan';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';
import { orRefusal } from './acting';
import { type PlannedTask, planIn, readTaskFolders, type TaskFolder } from './taskFolders';
import type { TaskRuns } from './taskRuns';

const maxListed = 300;

type Runs = Pick<TaskRuns, 'run' | 'goingOn'>;

/** Runs the tasks that the `tasks.json` of the session's folders define, and lists them if it is told none of them. */
export function runTask(runs: Runs): EditorTool {
  return {
    name: 'run_task',
    description:
      'Runs a task of .vscode/tasks.json and tells its exit code and output; the user is asked first. Without "task", lists the tasks.',
    properties: { task: { type: 'string', description: 'The label of the task.' } },
    acts: true,
    run: async (args, session, signal) => {
      const label = textArgument(args, 'task');
      const folders = await readTaskFolders(session);
      const folder = folders.find(({ definitions }) =>
        definitions.some((definition) => definition.label === label),
      );
      return label === undefined || folder === undefined
        ? listed(label, folders)
        : orRefusal(label, runIn(folder, label, session, runs, signal));
    },
  };
}

async function runIn(
  folder: TaskFolder,
  label: string,
  session: ServedSession,
  runs: Runs,
  signal: AbortSignal,
): Promise<string> {
  const planned = await planIn(folder, label, session);
  const { steps, shell } = planned;
  const [only, ...others] = steps;
  const going = only && others.length === 0 ? runs.goingOn(keyOf(only, session)) : undefined;
  if (only !== undefined && going !== undefined) {
    return describeEnd(only, lineOf(only), going);
  }
  const what = shownRun(l10n.t('Task “{0}”', cleanText(label, 200)), steps, shell);
  const start = async (stop: AbortSignal): Promise<string> => {
    await mustBeAsShown(planned, label, session);
    return runSteps(planned, session, runs, stop);
  };
  return session.run(what, start, signal);
}

/** The files may have changed while the user decided, and links may lead elsewhere. */
async function mustBeAsShown(
  shown: PlannedTask,
  label: string,
  session: ServedSession,
): Promise<void> {
  for (const folder of await readTaskFolders(session)) {
    if (folder.definitions.some((definition) => definition.label === label)) {
      if (JSON.stringify(await planIn(folder, label, session)) === JSON.stringify(shown)) {
        return;
      }
      break;
    }
  }
  throw new ToolRefusal('The task was changed after the user had seen it. Call again.');
}

/** One after the other; what follows a failure isn't run. */
async function runSteps(
  { steps, shell }: PlannedTask,
  session: ServedSession,
  runs: Runs,
  stop: AbortSignal,
): Promise<string> {
  const told: string[] = [];
  for (const [index, step] of steps.entries()) {
    const key = keyOf(step, session);
    const end: TaskEnd = runs.goingOn(key) ?? (await runs.run(step, { shell, key }, stop));
    told.push(describeEnd(step, lineOf(step), end));
    const left = steps.slice(index + 1);
    if (left.length > 0 && end.exit !== undefined && end.exit.exitCode !== 0) {
      const names = left.map(({ label }) => `"${label}"`).join(', ');
      told.push(`Not run, because they depend on it: ${names}.`);
      break;
    }
  }
  // What was last is what the rest was for.
  return told.reverse().join('\n\n');
}

function keyOf({ label, folder }: TaskStep, { agentId, sessionId }: ServedSession): string {
  return JSON.stringify([agentId, sessionId, folder, label]);
}

function listed(label: string | undefined, folders: readonly TaskFolder[]): string {
  const names = folders.flatMap(({ definitions }) => definitions.map((one) => one.label));
  const missing = label === undefined ? [] : [`No tasks.json defines a task "${label}".`];
  if (names.length === 0) {
    return [...missing, "This session's folders have no .vscode/tasks.json with tasks."].join('\n');
  }
  const shown = names.slice(0, maxListed).map((name) => `  ${name}`);
  const more = names.length - shown.length;
  return [
    ...[...missing, `${names.length} tasks:`, ...shown],
    ...(more > 0 ? [`[${more} more are left out.]`] : []),
  ].join('\n');
}
