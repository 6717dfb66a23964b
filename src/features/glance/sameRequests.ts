import { besideCommand } from '../../model/calls/besideCommand';
import { namedCommand } from '../../model/calls/commandLine';
import {
  type GlanceSame,
  type GlanceSameRequest,
  maxSameRequests,
  type SameAnswer,
} from '../../shared/glance/glance';
import type { SessionRef } from '../../shared/sessionRef';
import { filesChangedIn } from '../../shared/transcript/content';
import type { PermissionEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { askedParts } from '../../views/attention/asked';
import type { Glanced } from './glanceItems';

type Asking = Glanced & { readonly entry: PermissionEntry };

/** Kinds of calls that change files, which are looked at one by one, and of plans. */
const aloneKinds: readonly string[] = ['edit', 'delete', 'move', 'switch_mode'];
/** Length of an input and content, as JSON, that are compared. */
const maxCompared = 50_000;

/** What is compared of each request, which never changes; `undefined` for one that is answered alone. */
const known = new WeakMap<PermissionEntry, string | undefined>();

/** The requests of several sessions that ask for exactly the same, each in the order of the sessions (SEC-340). */
export function sameRequests(all: readonly Glanced[]): readonly GlanceSame[] {
  return groupsOf(all).map((group) => ({
    asked: (askedParts(group[0].entry)?.what ?? []).join('\n'),
    requests: group.map(describe),
  }));
}

/** What to answer: only requests that are all the same, still, among those that the user has seen (SEC-340). */
export function sameAnswers(
  all: readonly Glanced[],
  answer: SameAnswer,
  seen: readonly Pick<GlanceSameRequest, 'key' | 'requestId'>[],
): readonly { readonly ref: SessionRef; readonly requestId: number; readonly optionId: string }[] {
  const isSeen = ({ item, entry }: Asking): boolean =>
    seen.some(({ key, requestId }) => key === item.key && requestId === entry.requestId);
  const group = groupsOf(all).find((one) => one.some(isSeen)) ?? [];
  return group.filter(isSeen).flatMap(({ ref, entry: { requestId, options } }) => {
    const optionId = theOnly(options, answer);
    return optionId === undefined ? [] : [{ ref, requestId, optionId }];
  });
}

function groupsOf(all: readonly Glanced[]): readonly (readonly [Asking, ...Asking[]])[] {
  const groups = new Map<string, [Asking, ...Asking[]]>();
  for (const glanced of all) {
    const { entry } = glanced;
    const compared = entry && comparedOf(entry);
    if (entry !== undefined && compared !== undefined) {
      const asking = { ...glanced, entry };
      const group = groups.get(compared);
      if (group === undefined) {
        groups.set(compared, [asking]);
      } else if (group.length < maxSameRequests) {
        group.push(asking);
      }
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function describe({ item, entry }: Asking): GlanceSameRequest {
  const { key, title, where, asker } = item;
  const folders = askedParts(entry)?.where ?? [];
  return { key, requestId: entry.requestId, title, where, ...(asker && { asker }), folders };
}

function comparedOf(entry: PermissionEntry): string | undefined {
  if (!known.has(entry)) {
    known.set(entry, compare(entry));
  }
  return known.get(entry);
}

/**
 * All that the user decides about, to be compared character by character. The folder of a command isn't compared: in
 * each worktree it is another one, and each request says its own.
 */
function compare({
  toolCall,
  title,
  description,
  own,
  options,
}: PermissionEntry): string | undefined {
  const { toolKind, rawInput, content, locations } = toolCall;
  if (
    ['allow_once', 'reject_once'].some((kind) => theOnly(options, kind) === undefined) ||
    aloneKinds.includes(toolKind) ||
    filesChangedIn(content).length > 0 ||
    (own !== undefined && own.act !== 'command' && own.act !== 'run')
  ) {
    return undefined;
  }
  const { title: about, name } = toolCall;
  const words = [toolKind, about, name, title, description, own?.act].map((word) => word ?? null);
  const command = own === undefined ? namedCommand(rawInput) : undefined;
  const { folder: _, ...input } = isObject(rawInput) ? rawInput : {};
  const compared = JSON.stringify([
    words,
    command === undefined
      ? [own === undefined ? rawInput : input, content, locations]
      : [command, Object.entries(besideCommand(rawInput).variables).sort()],
  ]);
  return compared.length > maxCompared ? undefined : compared;
}

/** The id of the option of this kind; `undefined` if there are several, whose names tell them apart, or none. */
function theOnly(options: PermissionEntry['options'], kind: string): string | undefined {
  const all = options.filter((option) => option.kind === kind);
  return all.length === 1 ? all[0]?.optionId : undefined;
}
