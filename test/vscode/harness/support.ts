import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { name, publisher } from '../../../package.json';
import type { TestApi } from '../../../src/extension';
import type { Session } from '../../../src/model/session/session';
import type { PermissionEntry } from '../../../src/shared/transcript/entries';
import type {
  MessageNode,
  SessionNode,
  SessionsNode,
} from '../../../src/views/sessions/nodes/nodes';
import { fakeAgent, type Json, type Scenario } from '../../fakeAgent/scenario';

type Presence<T> = T | undefined | false;

/** How long a test waits for a condition, in ms. */
const patience = 20_000;

/** Polls until there is a result; fails with `what` if none comes in time. */
export async function waitFor<T>(
  ask: () => Presence<T> | Promise<Presence<T>>,
  what: string,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function extension(): vscode.Extension<TestApi> {
  const found = vscode.extensions.getExtension<TestApi>(`${publisher}.${name}`);
  assert.ok(found, 'the extension is there');
  return found;
}

/** The workspace folder of the test window. */
export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(folder);
  return folder;
}

/** A session of the workspace folder, as a fake agent lists it. */
export function listed(sessionId: string, title: string, updatedAt = '2026-03-01T12:00:00Z'): Json {
  return { sessionId, cwd: workspaceFolder(), title, updatedAt };
}

/** A value of the setting `acpSessions.agents` for a fake agent. */
export function fakeEntry(title: string, scenario: Scenario): Json {
  return { title, ...fakeAgent(scenario) };
}

/** The extension in this window, with the agents that a test configures. */
export class ExtensionBench {
  readonly api: TestApi;
  /** A folder for the test's files. */
  readonly folder: string;

  private constructor(api: TestApi, folder: string) {
    this.api = api;
    this.folder = folder;
  }

  static async create(): Promise<ExtensionBench> {
    const api = await extension().activate();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-test-'));
    return new ExtensionBench(api, await realpath(folder));
  }

  /**
   * Replaces all agents, including the built-in one, and waits until they are there. Each of several has a row: to look
   * below it starts the agent.
   */
  async setAgents(agents: Readonly<Record<string, Json>>): Promise<void> {
    const ids = Object.keys(agents).filter((id) => agents[id] !== null);
    if (ids.length > 1) {
      await this.api.choices.setGrouping('agent');
    }
    await update('agents', { demo: null, ...agents });
    await waitFor(() => {
      const { all, problems } = this.api.agents;
      // Without those that were removed, which can be read for a while.
      const configured = all.filter(({ config }) => config.removed === undefined);
      const known = [...configured, ...problems].map(({ id }) => id);
      return known.sort().join() === ids.sort().join();
    }, 'the agents of the settings');
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** The messages that an agent with `record: this.file(name)` has received. */
  async received(name: string): Promise<readonly { readonly method?: string }[]> {
    const text = await readFile(this.file(name), 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { method?: string });
  }

  /** All nodes of the tree as VS Code reads them, without expanding "Older sessions". */
  nodes(): readonly SessionsNode[] {
    const below = (node?: SessionsNode): SessionsNode[] =>
      this.api.view
        .getChildren(node)
        .flatMap((child) => [child, ...(child.kind === 'older' ? [] : below(child))]);
    return below();
  }

  labels(): string[] {
    return this.nodes().map((node) => {
      const { label } = this.api.view.getTreeItem(node);
      assert.ok(typeof label === 'string', 'a text without any markup');
      return label;
    });
  }

  session(title: string): Promise<SessionNode> {
    return waitFor(
      () => this.nodes().find((node) => node.kind === 'session' && node.row.title === title),
      `the session "${title}"`,
    ) as Promise<SessionNode>;
  }

  message(kind: MessageNode['message']['kind']): Promise<MessageNode> {
    return waitFor(
      () => this.nodes().find((node) => node.kind === 'message' && node.message.kind === kind),
      `a line that says: ${kind}`,
    ) as Promise<MessageNode>;
  }

  /** Runs the command of a row, as VS Code does on a click. */
  async click(node: SessionsNode): Promise<void> {
    const { command } = this.api.view.getTreeItem(node);
    assert.ok(command, 'a row that does something');
    const args = (command.arguments ?? []) as unknown[];
    await vscode.commands.executeCommand(command.command, ...args);
  }

  /**
   * Removes the test's agents, settings and tabs, and shows the workspace's folders alone, also after a test that has
   * failed. The built-in agent stays away, for fewer changes of settings.
   */
  async dispose(): Promise<void> {
    this.api.choices.setScope('workspace');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A running turn would keep the session open after its tab is closed.
    await Promise.all(this.api.sessions.all.map((session) => session.close()));
    await waitFor(() => this.api.sessions.all.length === 0, 'the sessions to close');
    await this.api.transcriptCache.clear();
    await this.setAgents({});
    await waitFor(() => this.api.agents.all.length === 0, 'the agents to be forgotten');
    if (this.api.choices.grouping !== 'date') {
      await this.api.choices.setGrouping('date');
    }
    await update('sessions.groupByDate', undefined);
    // An agent that ends may still write what it was sent.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Changes a setting of the user unless it has this value: VS Code passes all settings on after each change. */
export async function update(key: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration('acpSessions');
  if (!isDeepStrictEqual(settings.inspect(key)?.globalValue, value)) {
    await settings.update(key, value, vscode.ConfigurationTarget.Global);
  }
}

/** The tabs that show transcripts. */
export function allTranscriptTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputCustom);
}

/** The titles of the tabs that show transcripts. */
export function transcriptTabs(): string[] {
  return allTranscriptTabs().map(({ label }) => label);
}

/** The question of a session that waits for the user's yes or no. */
export function waitingPermission({ transcript }: Session): PermissionEntry | undefined {
  return transcript.entries.find(
    (entry): entry is PermissionEntry =>
      entry.kind === 'permission' && entry.state.kind === 'waiting',
  );
}
