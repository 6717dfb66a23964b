import type { ToolKind } from '../../shared/transcript/content';

/** An entry of `acpSessions.permissions.rules`; an absent field matches anything. */
export interface PermissionRule {
  readonly agent: string | undefined;
  readonly kind: ToolKind | undefined;
  /** The words that a command begins with. */
  readonly command?: readonly string[];
  /** A pattern of paths inside the session's folders. */
  readonly path?: string;
  readonly decision: 'allow' | 'reject';
}

/**
 * The answer of the rules. `allowOne`: a rule with a command or a path allows just this request, so
 * what follows from it is decided by itself.
 */
export type Ruling = 'allow' | 'allowOne' | 'reject';

/** The real place of a file. */
export interface RealPlace {
  readonly real: string;
  /** The file's paths relative to the session's folders that it is in. */
  readonly names: readonly string[];
}

/** The place of a session, what its files really are, and what its user has agreed to. */
export interface RuledPlace {
  readonly cwd: string;
  readonly reach: {
    /** Rejects if that can't be found out. */
    getPlace(file: string): Promise<RealPlace>;
    /** Whether a path is inside the session's folders. */
    has(file: string): Promise<boolean>;
  };
  /** A path that the agent's machine has written, such as one in a tool's input, as this machine writes it. */
  inward(file: string): string;
  /** Whether commands may set these variables to these values without a question. */
  hasVariables(env: Readonly<Record<string, string>>): boolean;
}

/** Whether a rule looks at what would be done, not only at what kind of act it is. */
export function isSpecific({ command, path }: PermissionRule): boolean {
  return command !== undefined || path !== undefined;
}

/** Whether a rule is about this agent: it names it, or none. */
export function isAbout({ agent }: PermissionRule, agentId: string): boolean {
  return agent === undefined || agent === agentId;
}

/** The decision of the first matching rule by agent and kind; `undefined`: ask the user. */
export function decideByKind(
  rules: readonly PermissionRule[],
  agentId: string,
  kind: ToolKind,
): 'allow' | 'reject' | undefined {
  return rules.find(
    (rule) => !isSpecific(rule) && isAbout(rule, agentId) && (rule.kind ?? kind) === kind,
  )?.decision;
}
