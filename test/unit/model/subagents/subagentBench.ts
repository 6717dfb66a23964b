import type { SessionUpdate, SubagentPatch } from '../../../../src/protocol/updates';
import type { PermissionOption } from '../../../../src/shared/requests/agentQuestions';
import type { Entry, SubagentEntry } from '../../../../src/shared/transcript/entries';
import type { FakeConnection } from '../fakes';
import { prompted, type SessionBench, sessionBench } from '../sessionBench';

/** A session with a running turn whose agent tells of subagents, and what is shown of them. */

const running = { kind: 'running' } as const;
const never = new AbortController().signal;
const options: readonly PermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
];

export function announced(sessionId: string, patch: Partial<SubagentPatch> = {}): SessionUpdate {
  return {
    sessionUpdate: 'subagent_update',
    sessionId,
    title: sessionId,
    state: running,
    ...patch,
  };
}

export function subagentsIn(entries: readonly Entry[]): readonly SubagentEntry[] {
  return entries.filter((entry) => entry.kind === 'subagent');
}

/** What is in a transcript, with what subagents did in brackets. */
export function outline(entries: readonly Entry[]): string {
  return entries
    .map((entry) => {
      switch (entry.kind) {
        case 'subagent':
          return `${entry.title} ${entry.state.kind}(${outline(entry.entries)})`;
        case 'toolCall':
          return entry.toolCallId;
        case 'user':
        case 'agent':
        case 'thought':
          return entry.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
        default:
          return entry.kind;
      }
    })
    .join(', ');
}

export async function working(): Promise<SessionBench & { readonly connection: FakeConnection }> {
  const made = sessionBench();
  const { connection } = await prompted(made);
  return Object.assign(made, { connection });
}

export function shown({ session }: SessionBench): string {
  return outline(session.transcript.entries.slice(1));
}

export function ask(connection: FakeConnection, sessionId: string, toolCallId = 'c') {
  const toolCall = { toolCallId, title: `Run ${toolCallId}`, kind: 'execute' as const };
  return connection.requests.requestPermission({ sessionId, toolCall, options }, never);
}
