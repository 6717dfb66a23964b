import stripJsonComments from 'strip-json-comments';
import { asArray, asString, isObject, type JsonObject, parseJson } from '../../../../util/json';
import { ToolRefusal } from '../tool';

const maxTasks = 1000;
const maxLabel = 200;

/** How a `tasks.json` calls the systems. */
const systems: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  win32: 'windows',
  darwin: 'osx',
};

/** A task as a `tasks.json` defines it for one system. */
export interface TaskDefinition {
  readonly label: string;
  /** Its members, with those for the system in place of the general ones. */
  readonly members: JsonObject;
}

/**
 * The tasks of a `tasks.json`, in JSON with comments. Throws `ToolRefusal` if it isn't one, or is of a version of which
 * this doesn't know what its tasks run.
 */
export function readTaskFile(text: string, platform: NodeJS.Platform): readonly TaskDefinition[] {
  const value = parseJson(stripJsonComments(text, { trailingCommas: true }));
  if (!isObject(value)) {
    throw new ToolRefusal('The tasks.json is not valid JSON.');
  }
  if (value['version'] !== '2.0.0' || 'command' in value || 'type' in value) {
    throw new ToolRefusal(
      'The tasks.json is of an old form: only "version": "2.0.0" is read, with a command in each task.',
    );
  }
  const tasks = asArray(value['tasks']);
  if (tasks.length > maxTasks) {
    throw new ToolRefusal(`The tasks.json has more than ${maxTasks} tasks.`);
  }
  const system = systems[platform] ?? 'linux';
  return tasks.filter(isObject).flatMap((task) => {
    const label = labelOf(task);
    return label === undefined ? [] : [{ label, members: membersFor(system, task, value) }];
  });
}

function labelOf(task: JsonObject): string | undefined {
  const label = asString(task['label']) ?? asString(task['taskName']);
  const script = task['type'] === 'npm' ? asString(task['script']) : undefined;
  const named = label ?? (script === undefined ? undefined : `npm: ${script}`);
  return named !== undefined && named.trim() !== '' && named.length <= maxLabel ? named : undefined;
}

/** What is said for the system counts more than what is said for all; each option for itself. */
function membersFor(system: string, task: JsonObject, file: JsonObject): JsonObject {
  const levels = [file, sectionOf(file, system), task, sectionOf(task, system)];
  const options = levels.map((level) => level['options']).filter(isObject);
  const env = Object.assign({}, ...options.map((one) => one['env']).filter(isObject)) as JsonObject;
  return {
    ...task,
    ...sectionOf(task, system),
    options: { ...(Object.assign({}, ...options) as JsonObject), env },
  };
}

function sectionOf(value: JsonObject, system: string): JsonObject {
  const section = value[system];
  return isObject(section) ? section : {};
}
