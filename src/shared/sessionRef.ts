/** What identifies a session among those of all agents. */
export interface SessionRef {
  readonly agentId: string;
  readonly sessionId: string;
}
