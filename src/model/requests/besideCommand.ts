import { isObject } from '../../util/json';
import { parsedJson } from '../transcript/calls/parsedJson';
import { commandKeys } from './commandLine';

/** What a tool's input says besides its commands. */
export interface BesideCommand {
  /** Every folder that it names, as it was said. */
  readonly folders: readonly string[];
  /**
   * Whether all the rest is known to change nothing about what runs. Variables, a shell, a user, and whatever nobody
   * has heard of may change it.
   */
  readonly isHarmless: boolean;
}

const folderKey = /^(?:cwd|workdir|(?:current)?workingdir(?:ectory)?|dir(?:ectory|path)?|folder)$/;
/** Without case and underscores, as are the following. */
const named = new Set<string>([...commandKeys.map(plainKey), 'commands', 'args']);
/** Words about a command, and how long or how visibly it runs. */
const words = new Set(
  `description title reason justification explanation purpose summary timeout timeoutms timeoutsec timeoutseconds
  runinbackground isbackground background callid turnid toolcallid toolname tool name type id
  parsedcmd parsedcommand query path file paths files filepath filename outputbytelimit maxoutputtokens`.split(
    /\s+/,
  ),
);
/** Depth to which an input is read; what is deeper isn't harmless. */
const inputDepth = 10;

/** Reads a tool's input for all that could change what its commands do. */
export function besideCommand(rawInput: unknown): BesideCommand {
  const folders: string[] = [];
  const isHarmless = isKnown(parsedJson(rawInput) ?? rawInput, folders, inputDepth);
  return { folders: [...new Set(folders)], isHarmless };
}

function isKnown(value: unknown, folders: string[], depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (depth === 0) {
    return false;
  }
  if (!isObject(value)) {
    return Object.values(value)
      .map((item) => isKnown(item, folders, depth - 1))
      .every(Boolean);
  }
  // All are read, so that no folder is missed.
  return Object.entries(value)
    .map(([key, item]) => {
      const plain = plainKey(key);
      if (folderKey.test(plain) && typeof item === 'string') {
        folders.push(item);
        return true;
      }
      const isRead = isKnown(item, folders, depth - 1);
      return isNothing(item) || ((named.has(plain) || words.has(plain)) && isRead);
    })
    .every(Boolean);
}

function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === false ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}
