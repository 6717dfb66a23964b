/** Agents that ask by elicitation themselves, by the names that they report: they need no tool for it. */
const asking = /(?:^|\/)(?:claude-(?:agent|code)-acp|codex-acp)$/;

/** The tools that this agent doesn't get. */
export function toolsWithout(agentName: string | undefined): readonly string[] {
  return asking.test(agentName ?? '') ? ['ask_user'] : [];
}
