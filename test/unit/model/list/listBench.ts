import assert from 'node:assert/strict';
import type { SessionList, SessionListChange } from '../../../../src/model/agent';
import { type AgentsBench, bench, type FakeConnection, folder } from '../fakes';

export interface ListBench extends AgentsBench {
  /** The list of `folder` for the agent `demo`. */
  readonly list: SessionList;
  readonly changes: SessionListChange[];
}

export function listBench(prepare: (connection: FakeConnection) => void): ListBench {
  const made = bench(['demo'], prepare);
  const list = made.agents.get('demo')?.lists.of(folder);
  assert.ok(list);
  const changes: SessionListChange[] = [];
  list.onDidChange((change) => changes.push(change));
  return Object.assign(made, { list, changes });
}

/** The ids of the rows, in order. */
export function ids(list: SessionList): string[] {
  return list.rows.map(({ info }) => info.sessionId);
}
