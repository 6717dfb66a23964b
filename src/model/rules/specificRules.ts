import path from 'node:path';
import { literal } from '../../shared/literal';
import type { OfferedRule } from '../../shared/requests/agentQuestions';
import type { ToolKind } from '../../shared/transcript/content';
import {
  arePlain,
  beginsWith,
  mayBegin,
  mayContain,
  mightBeginForCmd,
  mightRun,
  runsAnother,
  takesProgram,
} from '../calls/commandWords';
import { inTime } from './inTime';
import { matchesPath } from './pathPattern';
import {
  decideByKind,
  isAbout,
  isSpecific,
  type PermissionRule,
  type RealPlace,
  type RuledPlace,
  type Ruling,
} from './permissionRule';
import { type Asked, absolutePath, readAct, type StatedAct, type StatedCommand } from './ruledAct';

/** Whether a rule that rejects applies; `perhaps` if too little was said to rule that out. */
type Applies = 'yes' | 'perhaps' | 'no';

/** A path as it was said, and where it really is. */
interface StatedFile {
  readonly said: string;
  /** Absolute, without `..`; links aren't followed. */
  readonly text: string;
  /** Relative to the session's folder. */
  readonly inside: string;
  /** `undefined` if that couldn't be found out. */
  readonly place: RealPlace | undefined;
}

/** The kinds that a rule with a path can allow. */
const fileKinds: readonly ToolKind[] = ['read', 'edit', 'delete', 'move', 'search'];
const maxFiles = 100;
/** A rule that is longer isn't offered: it couldn't be read at a glance. */
const maxOfferLength = 200;
/** No wildcards, and no characters that can't be seen. */
const plainPath = /^[\p{L}\p{N}_@+=:,./ -]+$/u;
const maxPathLength = 4096;

/**
 * The decision of all rules, those with a command or a path included (PE-5). In order: one of these
 * that rejects; the first one by agent and kind; one of these that allows. What a rule that rejects
 * may apply to isn't allowed by any.
 */
export async function decideSpecifically(
  rules: readonly PermissionRule[],
  agentId: string,
  kind: ToolKind,
  asked: Asked,
  place: RuledPlace,
): Promise<Ruling | undefined> {
  const specific = rules.filter((rule) => isSpecific(rule) && isAbout(rule, agentId));
  const act = readPlaced(asked, place);
  const hasPaths = specific.some((rule) => rule.path !== undefined);
  const files = hasPaths ? await resolved(act.files, place) : [];
  const theirs = hasPaths ? await resolved(act.theirFiles, place) : [];
  const rejecting = specific.filter(({ decision }) => decision === 'reject');
  const rejects = rejecting.map((rule) => rejectsAct(rule, kind, act, [...files, ...theirs]));
  if (asked.type === 'call' && asked.before !== undefined) {
    const earlier = readAct({ ...asked, call: asked.before }, (file) => place.inward(file));
    const others = rejecting.some((rule) => rule.path !== undefined)
      ? await resolved([...earlier.files, ...earlier.theirFiles], place)
      : [];
    // It may have said little then: that was no request.
    const whole = { ...earlier, saysCommands: true, saysFiles: true };
    rejects.push(...rejecting.map((rule) => rejectsAct(rule, kind, whole, others)));
  }
  if (asked.type === 'read') {
    // Reading in the session's folders needs no consent: only a rule that names the file rejects it.
    return rejects.includes('yes') ? 'reject' : undefined;
  }
  const byKind = decideByKind(rules, agentId, kind);
  if (rejects.includes('yes') || byKind === 'reject') {
    return 'reject';
  }
  if (rejects.includes('perhaps') || byKind === 'allow') {
    return rejects.includes('perhaps') ? undefined : 'allow';
  }
  const allows = specific.filter(
    (rule) => rule.decision === 'allow' && (rule.kind ?? kind) === kind,
  );
  const isAllowed =
    (await allowsCommands(allows, kind, act, place)) || allowsFiles(allows, kind, act, files);
  return isAllowed ? 'allowOne' : undefined;
}

/**
 * The narrowest rule that would have allowed a request: for exactly the words of its command, or for
 * the one file that it changes. Only where that is certain, and can be read by whoever decides.
 */
export async function offeredRule(
  rules: readonly PermissionRule[],
  agentId: string,
  kind: ToolKind,
  asked: Asked,
  place: RuledPlace,
): Promise<OfferedRule | undefined> {
  const act = readPlaced(asked, place);
  const offered =
    kind === 'execute'
      ? offeredCommand(act)
      : kind === 'edit'
        ? await offeredFile(act, place)
        : undefined;
  if (offered === undefined) {
    return undefined;
  }
  const rule: PermissionRule = { agent: agentId, kind, ...offered, decision: 'allow' };
  const ruling = await decideSpecifically([...rules, rule], agentId, kind, asked, place);
  return ruling === 'allowOne' ? offered : undefined;
}

/** Variables that are neither harmless nor agreed to may change what commands mean. */
function readPlaced(asked: Asked, place: RuledPlace): StatedAct {
  const act = readAct(asked, (file) => place.inward(file));
  return { ...act, saysCommands: act.saysCommands && place.hasVariables(act.variables) };
}

/** A program alone, or one that runs others, would allow much more than was asked for. */
function offeredCommand({ commands }: StatedAct): OfferedRule | undefined {
  const [command = [], ...others] = commands.map(({ readings }) => readings[0] ?? []);
  const isOne = others.every((words) => words.join('\n') === command.join('\n'));
  return isOne &&
    command.length > 1 &&
    arePlain(command) &&
    !runsAnother(command) &&
    !takesProgram(command) &&
    command.join(' ').length <= maxOfferLength
    ? { command }
    : undefined;
}

async function offeredFile(act: StatedAct, place: RuledPlace): Promise<OfferedRule | undefined> {
  const [file, ...others] = await resolved(act.files, place);
  const [name = ''] = file?.place?.names ?? [];
  const shown = slashed(name);
  return others.length === 0 &&
    plainPath.test(shown) &&
    literal(shown) === shown &&
    shown.length <= maxOfferLength
    ? { path: shown }
    : undefined;
}

function rejectsAct(
  rule: PermissionRule,
  kind: ToolKind,
  act: StatedAct,
  files: readonly StatedFile[],
): Applies {
  const { command, path: pattern } = rule;
  if (command !== undefined) {
    // The kind is the agent's word; a command is one under any kind.
    const found = act.commands.map((stated) => rejectsCommand(command, stated));
    const isUnsaid = kind === 'execute' && !act.saysCommands;
    return worst(isUnsaid ? [...found, 'perhaps'] : found);
  }
  if (pattern === undefined || (rule.kind ?? kind) !== kind) {
    return 'no';
  }
  const found = files.map((file) => rejectsFile(pattern, file));
  const isUnsaid = fileKinds.includes(kind) && (!act.saysFiles || files.length > maxFiles);
  return worst(isUnsaid ? [...found, 'perhaps'] : found);
}

function worst(found: readonly Applies[]): Applies {
  return found.includes('yes') ? 'yes' : found.includes('perhaps') ? 'perhaps' : 'no';
}

function rejectsCommand(prefix: readonly string[], { text, readings }: StatedCommand): Applies {
  if (readings.length > 0) {
    return readings.some((words) => mayBegin(words, prefix))
      ? 'yes'
      : readings.some((words) => mightRun(words, prefix) || mightBeginForCmd(words, prefix))
        ? 'perhaps'
        : 'no';
  }
  return text === undefined ? 'perhaps' : mayContain(text, prefix);
}

/**
 * Whether a pattern rejects a file by its name in the session's folders, or by its whole path: links and `..` don't
 * hide it.
 */
function rejectsFile(pattern: string, { said, text, inside, place }: StatedFile): Applies {
  const names = [withoutRoot(text), inside];
  if (place !== undefined) {
    names.push(withoutRoot(place.real), ...place.names);
  }
  if (names.some((name) => matchesPath(pattern, slashed(name)))) {
    return 'yes';
  }
  return place === undefined || !path.isAbsolute(said) ? 'perhaps' : 'no';
}

async function allowsCommands(
  rules: readonly PermissionRule[],
  kind: ToolKind,
  { commands, saysCommands, folder }: StatedAct,
  { cwd, reach }: RuledPlace,
): Promise<boolean> {
  return (
    kind === 'execute' &&
    saysCommands &&
    commands.length > 0 &&
    commands.every(({ readings }) =>
      readings.some((words) =>
        rules.some(
          ({ command }) => command !== undefined && allowsWords(words, command, folder ?? cwd, cwd),
        ),
      ),
    ) &&
    (folder === undefined ||
      (path.isAbsolute(folder) && (await inTime(reach.has(folder))) === true))
  );
}

/**
 * Words that are paths mean what they mean in the session's folder: elsewhere, `./build.sh` is another file, and only
 * the program can be named there by another path.
 */
function allowsWords(
  words: readonly string[],
  allowed: readonly string[],
  folder: string,
  cwd: string,
): boolean {
  const isElsewhere = path.resolve(folder) !== path.resolve(cwd);
  const isRelative = (word: string): boolean => /[\\/]/.test(word) && !path.isAbsolute(word);
  const [program = '', ...further] = allowed;
  if (!isElsewhere || !allowed.some(isRelative)) {
    return beginsWith(words, allowed);
  }
  return (
    !further.some(isRelative) &&
    /[\\/]/.test(words[0] ?? '') &&
    path.resolve(folder, words[0] ?? '') === path.resolve(cwd, program) &&
    beginsWith(words.slice(1), further)
  );
}

function allowsFiles(
  rules: readonly PermissionRule[],
  kind: ToolKind,
  { saysFiles }: StatedAct,
  files: readonly StatedFile[],
): boolean {
  // A move has two ends.
  const least = kind === 'move' ? 2 : 1;
  return (
    fileKinds.includes(kind) &&
    saysFiles &&
    files.length >= least &&
    files.every(
      ({ said, place }) =>
        place !== undefined &&
        path.isAbsolute(said) &&
        !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(said) &&
        rules.some(
          ({ path: pattern }) =>
            pattern !== undefined &&
            place.names.some((name) => matchesPath(pattern, slashed(name))),
        ),
    )
  );
}

async function resolved(
  files: readonly string[],
  { cwd, reach }: RuledPlace,
): Promise<readonly StatedFile[]> {
  return Promise.all(
    files.map(async (said, at) => {
      const isShort = said.length <= maxPathLength;
      const text = absolutePath(said.slice(0, maxPathLength), cwd);
      const place = isShort && at < maxFiles ? await inTime(reach.getPlace(text)) : undefined;
      return { said, text, inside: path.relative(cwd, text), place };
    }),
  );
}

function withoutRoot(file: string): string {
  return file.slice(path.parse(file).root.length);
}

function slashed(name: string): string {
  return name.replaceAll(path.sep, '/');
}
