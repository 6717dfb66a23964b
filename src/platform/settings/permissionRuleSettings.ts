import * as l10n from '@vscode/l10n';
import { type ToolKind, toolKinds } from '../../shared/transcript/content';
import { isObject } from '../../util/json';

/** An entry of `acpSessions.permissions.rules`; an absent field matches anything. */
export interface PermissionRule {
  readonly agent: string | undefined;
  readonly kind: ToolKind | undefined;
  readonly decision: 'allow' | 'reject';
}

export interface PermissionRuleSettings {
  readonly rules: readonly PermissionRule[];
  /** The reasons why entries are invalid, worded for the user. */
  readonly problems: readonly string[];
}

const ruleKeys = new Set(['agent', 'kind', 'decision']);

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

/** The decision of the first matching rule; `undefined`: ask the user. */
export function decideByRules(
  rules: readonly PermissionRule[],
  agentId: string,
  kind: ToolKind,
): 'allow' | 'reject' | undefined {
  return rules.find((rule) => (rule.agent ?? agentId) === agentId && (rule.kind ?? kind) === kind)
    ?.decision;
}

function readRules(value: unknown): PermissionRuleSettings {
  if (value === undefined || value === null) {
    return { rules: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    return { rules: [], problems: [l10n.t('The setting must be a list of rules.')] };
  }
  const rules: PermissionRule[] = [];
  const problems: string[] = [];
  for (const [index, entry] of (value as unknown[]).entries()) {
    const rule = readRule(entry);
    if (typeof rule === 'string') {
      problems.push(l10n.t('Rule {0}: {1} Later rules that allow are ignored.', index + 1, rule));
    } else if (problems.length === 0 || rule.decision === 'reject') {
      rules.push(rule);
    }
  }
  return { rules, problems };
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
  return { agent, kind: knownKind, decision };
}
