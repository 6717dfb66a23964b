import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import type { PermissionOption } from '../../../../src/shared/requests/agentQuestions';
import type { PermissionEntry } from '../../../../src/shared/transcript/entries';
import { until } from '../../../support/until';
import { folder } from '../fakes';
import { prompted, sessionBench } from '../sessionBench';

export const never = new AbortController().signal;
export const options: readonly PermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
export const file = (name: string): string => `${folder.path}/${name}`;

type Answer = 'allow_once' | 'allow_always' | 'reject_once';

/** A session with a running turn, whose agent does what a test tells it to. */
export async function acting() {
  const made = sessionBench();
  made.realPaths.get = (path) => path;
  const { session, disk, terminals } = made;
  const { connection, prompt } = await prompted(made);
  const entries = (): PermissionEntry[] =>
    session.transcript.entries.filter((entry) => entry.kind === 'permission');
  const asked = (): PermissionEntry[] => entries().filter(({ own }) => own !== undefined);
  const waiting = (): PermissionEntry | undefined =>
    asked().find(({ state }) => state.kind === 'waiting');
  return {
    ...{ made, session, connection, prompt, disk, terminals, asked, waiting },
    write: (name: string, content = 'new', signal = never, sessionId = 's0'): Promise<void> =>
      connection.requests.writeTextFile({ sessionId, path: file(name), content }, signal),
    run: (command: string, args: readonly string[] = [], more: object = {}): Promise<string> =>
      connection.requests.createTerminal(
        { sessionId: 's0', command, args, env: {}, ...more },
        never,
      ),
    /** The agent requests a permission and receives that answer. */
    permit: async (toolCall: ToolCallPatch, optionId = 'yes'): Promise<void> => {
      const answer = connection.requests.requestPermission(
        { sessionId: 's0', toolCall, options },
        never,
      );
      const entry = entries().at(-1);
      assert.ok(entry?.state.kind === 'waiting' && entry.own === undefined);
      session.requests.answerPermission(entry.requestId, optionId);
      assert.deepEqual(await answer, { optionId });
    },
    answer: async (optionId: Answer): Promise<PermissionEntry> => {
      await until(() => waiting() !== undefined);
      const entry = waiting()!;
      session.requests.answerPermission(entry.requestId, optionId);
      return entry;
    },
  };
}

export const refused = (error: unknown): boolean =>
  error instanceof AcpError && error.code === 'cancelled';
