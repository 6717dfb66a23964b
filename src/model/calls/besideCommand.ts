import { isObject } from '../../util/json';
import { listsCommands, namesArguments, namesCommand, plainKey } from './inputKeys';
import { parsedJson } from './parsedJson';

/** What a tool's input says besides its commands. */
export interface BesideCommand {
  /** Every folder that it names, as it was said. */
  readonly folders: readonly string[];
  /** The variables that it sets, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Whether all the rest is known to change nothing about what runs. A shell, a user, variables that can't be told, and
   * whatever nobody has heard of may change it.
   */
  readonly isHarmless: boolean;
}

/** Keys without case and underscores, as are the following. */
const folderKey =
  /^(?:cwd|workdir|(?:current)?workingdir(?:ectory)?|dir(?:ectory|path)?|folder|path)$/;
const variablesKey = /^(?:env|environ|environment)(?:vars?|variables?)?$/;
/** Words about a command, and how long or how visibly it runs. */
const words = new Set(
  `description title reason justification explanation purpose summary timeout timeoutms timeoutsec timeoutseconds
  runinbackground isbackground background callid turnid toolcallid id outputbytelimit maxoutputtokens`.split(
    /\s+/,
  ),
);
/** What Codex says of each part of a command that it has read. */
const wordsOfPart = new Set(['type', 'name', 'path', 'query']);
/** Depth to which an input is read; what is deeper isn't harmless. */
const inputDepth = 10;

interface Found {
  readonly folders: Set<string>;
  readonly variables: Map<string, string>;
}

/** Reads a tool's input for all that could change what its commands do. */
export function besideCommand(rawInput: unknown): BesideCommand {
  const found: Found = { folders: new Set(), variables: new Map() };
  const isHarmless = isKnown(parsedJson(rawInput) ?? rawInput, found, inputDepth);
  const variables = Object.fromEntries(found.variables);
  return { folders: [...found.folders], variables, isHarmless };
}

function isKnown(value: unknown, found: Found, depth: number, isPart = false): boolean {
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (depth === 0) {
    return false;
  }
  if (!isObject(value)) {
    return Object.values(value)
      .map((item) => isKnown(item, found, depth - 1, isPart))
      .every(Boolean);
  }
  const hasCommand = Object.keys(value).some(namesCommand);
  // All are read, so that no folder is missed.
  return Object.entries(value)
    .map(([key, item]) => {
      const plain = plainKey(key);
      if (isPart && wordsOfPart.has(plain)) {
        return typeof item !== 'object' || item === null;
      }
      if (folderKey.test(plain) && typeof item === 'string' && item !== '') {
        found.folders.add(item);
        // Behind a link, the folder above is another one than the path says.
        return !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(item);
      }
      const isRead = isKnown(item, found, depth - 1, plain.startsWith('parsed'));
      const isNamed =
        namesCommand(key) || listsCommands(key) || (namesArguments(key) && hasCommand);
      return (
        isNothing(item) ||
        (variablesKey.test(plain) && areVariables(item, found.variables)) ||
        ((isNamed || words.has(plain)) && isRead)
      );
    })
    .every(Boolean);
}

/** Notes variables that are said by name; `false` if it can't be told which ones are set to what. */
function areVariables(value: unknown, variables: Map<string, string>): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, text]) => {
      const isClear = typeof text === 'string' && (variables.get(name) ?? text) === text;
      if (isClear) {
        variables.set(name, text);
      }
      return isClear;
    })
  );
}

function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === false ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
