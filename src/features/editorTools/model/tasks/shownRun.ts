import { commandLine } from '../../../../model/calls/commandLine';
import type { OwnRun } from '../../../../model/requests/ownRun';
import type { JsonObject } from '../../../../util/json';
import { ToolRefusal } from '../tool';
import type { TaskStep } from './taskPlan';

/** Commands of one task, and UTF-16 units of all that is shown of them: what is longer isn't read. */
const maxSteps = 20;
const maxShown = 20_000;

/** All that a task runs, for the user. Throws `ToolRefusal` if it can't be shown as a whole. */
export function shownRun(title: string, steps: readonly TaskStep[], shell: string): OwnRun {
  const [first, ...others] = steps;
  if (first === undefined) {
    throw new ToolRefusal('The task runs nothing.');
  }
  const lines = steps.map((step) => lineOf(step));
  const isOne = others.length === 0;
  const details = isOne
    ? shownStep(first, shell)
    : { commands: lines, tasks: steps.map((step) => shownWithin(step, shell)) };
  if (steps.length > maxSteps || JSON.stringify(details).length > maxShown) {
    throw new ToolRefusal(
      `The task is too long to be shown to the user as a whole: at most ${maxSteps} commands and ${maxShown} characters.`,
    );
  }
  return {
    ...{ title, details, folder: (steps.at(-1) ?? first).folder },
    ...(isOne ? { line: lineOf(first) } : { before: lines }),
    variables: steps.map(({ env }) => env),
  };
}

/** The command of a step as one line. */
export function lineOf({ type, command, args }: TaskStep): string {
  return type === 'shell' ? command : commandLine({ command, args });
}

function shownWithin(step: TaskStep, shell: string): JsonObject {
  return { ...shownStep(step, shell), folder: step.folder, command: lineOf(step) };
}

function shownStep(
  { label, type, command, args, env, isBackground }: TaskStep,
  shell: string,
): JsonObject {
  return {
    task: label,
    ...(type === 'shell' ? { shell } : { program: command, arguments: args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(isBackground && { isBackground }),
  };
}
