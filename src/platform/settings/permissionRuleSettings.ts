import * as l10n from '@vscode/l10n';
import type { PermissionRule } from '../../model/rules/permissionRule';
import { toolKinds } from '../../shared/transcript/content';
import { isObject, type JsonObject } from '../../util/json';

export interface PermissionRuleSettings {
  readonly rules: readonly PermissionRule[];
  /** The reasons why entries are invalid, worded for the user. */
  readonly problems: readonly string[];
}

const ruleKeys = new Set(['agent', 'kind', 'command', 'path', 'decision']);
const fileKinds: readonly unknown[] = ['read', 'edit', 'delete', 'move', 'search'];

/**
 * The rules in order of precedence (PE-5). Rules of a workspace come first and may only reject: a
 * repository must not allow itself anything. An invalid entry may have been meant to reject, so no
 * later rule in its list allows anything.
 */
export function readPermissionRules(
  user: unknown,
  workspace: readonly unknown[],
): PermissionRuleSettings {
  const theirs = workspace.map(readRules);
  const own = readRules(user);
  const onlyRejects = l10n.t('A workspace can only reject; its rules that allow are ignored.');
  return {
    rules: [
      ...theirs.flatMap(({ rules }) => rules.filter(({ decision }) => decision === 'reject')),
      ...own.rules,
    ],
    // Two levels may be the same file, or have the same problem.
    problems: [
      ...new Set([
        ...theirs.flatMap(({ rules, problems }) =>
          rules.some(({ decision }) => decision === 'allow')
            ? [...problems, onlyRejects]
            : problems,
        ),
        ...own.problems,
      ]),
    ],
  };
}

function readRules(value: unknown): PermissionRuleSettings {
  if (value === undefined || value === null) {
    return { rules: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    return { rules: [], problems: [l10n.t('The setting must be a list of rules.')] };
  }
  const rules: PermissionRule[] = [];
  const standIns: PermissionRule[] = [];
  const problems: string[] = [];
  for (const [index, entry] of (value as unknown[]).entries()) {
    const rule = readRule(entry);
    if (typeof rule !== 'string') {
      if (problems.length === 0 || rule.decision === 'reject') {
        rules.push(rule);
      }
      continue;
    }
    problems.push(l10n.t('Rule {0}: {1} Later rules that allow are ignored.', index + 1, rule));
    const standIn = standInFor(entry);
    if (standIn !== undefined) {
      standIns.push(standIn);
      problems.push(
        standIn.kind === undefined
          ? l10n.t('Until rule {0} can be read, everything is rejected.', index + 1)
          : l10n.t(
              'Until rule {0} can be read, everything of the kind “{1}” is rejected.',
              index + 1,
              standIn.kind,
            ),
      );
    }
  }
  return { rules: [...standIns, ...rules], problems };
}

/**
 * A rule may have been meant to reject, wherever it stands. So in place of one that can't be read, unless it says that it
 * allows, all of its kind is rejected.
 */
function standInFor(entry: unknown): PermissionRule | undefined {
  if (!isObject(entry)) {
    return { agent: undefined, kind: undefined, decision: 'reject' };
  }
  if (entry['decision'] === 'allow') {
    return undefined;
  }
  const { agent, kind, command } = entry;
  const known = toolKinds.find((one) => one === kind);
  return {
    agent: typeof agent === 'string' ? agent : undefined,
    kind: known ?? (command === undefined ? undefined : 'execute'),
    decision: 'reject',
  };
}

/** The rule, or the reason why it is invalid. */
function readRule(entry: unknown): PermissionRule | string {
  if (!isObject(entry)) {
    return l10n.t('It must be an object with a "decision".');
  }
  const unknownKey = Object.keys(entry).find((key) => !ruleKeys.has(key));
  if (unknownKey !== undefined) {
    return l10n.t(
      'Unknown property "{0}". A rule can have: {1}.',
      unknownKey,
      [...ruleKeys].join(', '),
    );
  }
  const { agent, kind, decision } = entry;
  if (agent !== undefined && typeof agent !== 'string') {
    return l10n.t('"agent" must be the id of an agent.');
  }
  const knownKind = toolKinds.find((known) => known === kind);
  if (kind !== undefined && knownKind === undefined) {
    return l10n.t('"kind" must be one of: {0}.', toolKinds.join(', '));
  }
  if (decision !== 'allow' && decision !== 'reject') {
    return l10n.t('"decision" must be "allow" or "reject".');
  }
  const specific = readSpecific(entry);
  return typeof specific === 'string'
    ? specific
    : { agent, kind: knownKind, ...specific, decision };
}

/** The command or the path of a rule, or the reason why it is invalid. */
function readSpecific(entry: JsonObject): Pick<PermissionRule, 'command' | 'path'> | string {
  const { kind, command, path } = entry;
  if (command !== undefined && path !== undefined) {
    return l10n.t('It can have a "command" or a "path", not both.');
  }
  if (command !== undefined) {
    if (!isCommand(command)) {
      return l10n.t(
        '"command" must be an array with one string for each word, for example: {0}.',
        '["git", "status"]',
      );
    }
    return kind === undefined || kind === 'execute'
      ? { command }
      : l10n.t('"command" can only have the kind "execute".');
  }
  if (path === undefined) {
    return {};
  }
  if (typeof path !== 'string' || !isPathPattern(path)) {
    return l10n.t(
      '"path" must be relative to the session’s folder, with slashes, and without "..". "*" and "?" stand for characters of a name, "**" for any folders.',
    );
  }
  return kind === undefined || fileKinds.includes(kind)
    ? { path }
    : l10n.t('"path" can only have one of these kinds: {0}.', fileKinds.join(', '));
}

/** A word with a space, unless it is a path, is most likely a command line in one string. */
function isCommand(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((word) => typeof word === 'string' && word !== '') &&
    !/^[^\\/]*\s/.test(String(value[0]))
  );
}

/** Whether a pattern means what it seems to. */
function isPathPattern(text: string): boolean {
  return (
    text.length <= 1000 &&
    !/[\\[\]{}!~:\0]/.test(text) &&
    text.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}
