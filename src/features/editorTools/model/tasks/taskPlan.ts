import path from 'node:path';
import { asArray, asString, isObject, type JsonObject } from '../../../../util/json';
import { ToolRefusal } from '../tool';
import type { TaskDefinition } from './taskFile';
import { readWord, shellLine, type TaskWord } from './taskLine';
import { fillIn, type VariablePlace } from './taskVariables';

/** One command that a task runs. */
export interface TaskStep {
  readonly label: string;
  /** A program with its arguments, or a line for a shell. */
  readonly type: 'process' | 'shell';
  readonly command: string;
  readonly args: readonly string[];
  /** Where it runs, an absolute path. */
  readonly folder: string;
  /** The variables that the task sets. */
  readonly env: Readonly<Record<string, string>>;
  /** It goes on running, such as a server. */
  readonly isBackground: boolean;
  /** The names of the problem matchers that read its output. */
  readonly matchers: readonly string[];
}

/** Where tasks are run. */
export interface TaskPlace extends VariablePlace {
  /** The shell that gets the lines. */
  readonly shell: string;
  /** The words before the name of a script of a `package.json`, such as `npm run`. */
  readonly scriptRunner: readonly [string, ...string[]];
}

/** Tasks of which one can consist. */
const maxDepending = 50;
/** Arguments of one command. */
const maxArguments = 1000;
const maxMatchers = 20;

/**
 * What a task runs, in order: first what it depends on, each task once. Throws `ToolRefusal` if that can't be told before
 * it runs.
 */
export function planTask(
  definitions: readonly TaskDefinition[],
  label: string,
  place: TaskPlace,
): readonly TaskStep[] {
  const steps: TaskStep[] = [];
  const done = new Set<string>();
  const above = new Set<string>();
  const add = (name: string): void => {
    if (done.has(name)) {
      return;
    }
    if (above.has(name)) {
      throw new ToolRefusal(`Task "${name}" depends on itself.`);
    }
    if (above.size + done.size >= maxDepending) {
      throw new ToolRefusal(`Task "${label}" depends on more than ${maxDepending} others.`);
    }
    const { members } = find(definitions, name);
    above.add(name);
    for (const dependency of dependenciesOf(members, name)) {
      add(dependency);
    }
    above.delete(name);
    done.add(name);
    steps.push(...stepsOf(name, members, place));
  };
  add(label);
  return steps;
}

function find(definitions: readonly TaskDefinition[], name: string): TaskDefinition {
  const [found, another] = definitions.filter(({ label }) => label === name);
  if (found === undefined || another !== undefined) {
    const times = found === undefined ? 'no' : 'more than one';
    throw new ToolRefusal(`The tasks.json defines ${times} task "${name}".`);
  }
  return found;
}

function dependenciesOf(members: JsonObject, name: string): readonly string[] {
  const value = members['dependsOn'];
  if (value === undefined) {
    return [];
  }
  return (Array.isArray(value) ? asArray(value) : [value]).map((one) => {
    const named = asString(one) ?? (isObject(one) ? asString(one['task']) : undefined);
    if (named === undefined) {
      throw new ToolRefusal(`Task "${name}" depends on a task that it doesn't name by a label.`);
    }
    return named;
  });
}

/** A task that only depends on others runs nothing itself. */
function stepsOf(label: string, members: JsonObject, place: TaskPlace): readonly TaskStep[] {
  const { type = 'process', command, dependsOn } = members;
  const needsCommand = type === 'process' || type === 'shell';
  if (needsCommand && command === undefined && dependsOn !== undefined) {
    return [];
  }
  try {
    return [stepOf(label, members, place)];
  } catch (error) {
    throw error instanceof ToolRefusal
      ? new ToolRefusal(`Task "${label}" can't be run by this tool. ${error.message}`)
      : error;
  }
}

function stepOf(label: string, members: JsonObject, place: TaskPlace): TaskStep {
  const options = isObject(members['options']) ? members['options'] : {};
  if (options['shell'] !== undefined) {
    throw new ToolRefusal('It names a shell of its own.');
  }
  const fill = (text: string): string => fillIn(text, place);
  const folder = path.resolve(place.folder, fill(asString(options['cwd']) ?? ''));
  return {
    ...{ label, ...commandOf(members, fill, folder, place) },
    env: envOf(options['env'], fill),
    isBackground: members['isBackground'] === true,
    // Those that a task describes itself can't be handed on by an extension.
    matchers: [members['problemMatcher']].flat().filter(isNamedMatcher).slice(0, maxMatchers),
  };
}

function commandOf(
  members: JsonObject,
  fill: (text: string) => string,
  folder: string,
  place: TaskPlace,
): Pick<TaskStep, 'type' | 'command' | 'args' | 'folder'> {
  const { type = 'process' } = members;
  const filled = (value: unknown): TaskWord => {
    const word = readWord(value);
    return { ...word, value: fill(word.value) };
  };
  if (type === 'npm') {
    const named = asString(members['path']);
    const within = named === undefined ? folder : path.resolve(place.folder, named);
    const [runner, ...words] = place.scriptRunner;
    const args = [...words.map((value) => ({ value })), filled(members['script'])];
    return {
      ...{ type: 'shell', args: [], folder: within },
      command: shellLine({ value: runner }, args, place.shell),
    };
  }
  if (type !== 'shell' && type !== 'process') {
    throw new ToolRefusal(
      `It is of type ${JSON.stringify(type).slice(0, 100)}: only the extension for that type knows what it runs.`,
    );
  }
  const listed = asArray(members['args']);
  if (listed.length > maxArguments) {
    throw new ToolRefusal(`It has more than ${maxArguments} arguments.`);
  }
  const command = filled(members['command']);
  const args = listed.map(filled);
  if (command.value.trim() === '') {
    throw new ToolRefusal('It has no command.');
  }
  return type === 'shell'
    ? { type, command: shellLine(command, args, place.shell), args: [], folder }
    : { type, command: command.value, args: args.map(({ value }) => value), folder };
}

function envOf(value: unknown, fill: (text: string) => string): Readonly<Record<string, string>> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries
      .filter(([, one]) => one !== null)
      .map(([name, one]) => {
        if (!/^[^=\0]+$/.test(name) || !['string', 'number', 'boolean'].includes(typeof one)) {
          throw new ToolRefusal('One of its variables has no usable name or value.');
        }
        return [name, fill(String(one))];
      }),
  );
}

function isNamedMatcher(value: unknown): value is string {
  return typeof value === 'string' && /^\$[\w-]{1,100}$/.test(value);
}
