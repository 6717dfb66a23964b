import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../../src/model/session/session';
import type { Beginning, PanelSession } from '../../../src/views/transcript/tabs/panelSession';
import { ableInitialize } from '../../fakeAgent/scenario';
import { type Asked, Dialogs } from './dialogs';
import { ExtensionBench, fakeEntry, listed, update, waitFor, workspaceFolder } from './support';

/** The workspace folder as a repository with one commit, a fake agent, and somebody who answers. */
export class WorktreeBench {
  readonly bench: ExtensionBench;
  readonly dialogs = new Dialogs();
  /** The folder of new worktrees. */
  readonly #trees: string;

  private constructor(bench: ExtensionBench) {
    this.bench = bench;
    this.#trees = bench.file('trees');
  }

  static async create(): Promise<WorktreeBench> {
    const made = new WorktreeBench(await ExtensionBench.create());
    await update('newWorktree.folder', made.#trees);
    made.git('init', '-b', 'main');
    made.git('add', '-A');
    made.git('commit', '-q', '--allow-empty', '-m', 'First');
    await made.bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'The first')],
        record: made.bench.file('log'),
      }),
    });
    return made;
  }

  async dispose(): Promise<void> {
    this.dialogs.dispose();
    await update('newWorktree.folder', undefined);
    await update('newWorktree.script', undefined);
    await this.bench.dispose();
    await rm(path.join(workspaceFolder(), '.git'), { recursive: true, force: true });
    await this.bench.api.tree.refresh();
  }

  /** Runs git in the workspace folder. */
  git(...args: string[]): string {
    return this.gitIn(workspaceFolder(), ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    return execFileSync('git', [...author, ...args], { cwd, stdio: 'pipe', encoding: 'utf8' });
  }

  run(command: string, argument?: unknown): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, argument);
  }

  /** "Finish Worktree…" and a step of it; what that asks is answered and noted as usual. */
  finish(step: string, argument?: unknown): Thenable<unknown> {
    const { dialogs } = this;
    const { answer } = dialogs;
    dialogs.answer = (asked) => {
      if (!asked.text.startsWith('Finish Worktree')) {
        return answer(asked);
      }
      dialogs.answer = answer;
      dialogs.asked.splice(dialogs.asked.indexOf(asked), 1);
      return asked.choices.find((choice) => choice.includes(step));
    };
    return this.run('worktree.finish', argument);
  }

  /** Where the worktree of this branch is. */
  treeOf(branch: string): string {
    return path.join(this.#trees, path.basename(workspaceFolder()), branch);
  }

  /** Answers the questions for a new worktree: its branch, and its base by label. */
  choose(
    branch: string,
    base = 'main',
    more: (asked: Asked) => string | undefined = () => undefined,
  ): void {
    this.dialogs.answer = (asked) =>
      asked.kind === 'input'
        ? branch
        : asked.kind === 'pick'
          ? asked.choices.find((choice) => choice === base)
          : more(asked);
  }

  /** The session in the worktree of this branch. */
  sessionOf(branch: string): Promise<Session> {
    return waitFor(
      () => this.bench.api.sessions.all.find(({ info }) => info.cwd === this.treeOf(branch)),
      'the session in its worktree',
    );
  }

  /** The page of a new session for which a worktree is made. */
  async planned(): Promise<{ readonly page: PanelSession; readonly first: Beginning }> {
    await this.run('session.newInWorktree');
    const page = await waitFor(() => this.bench.api.panels.active?.session, 'the page');
    const { first } = page;
    assert.ok(first, 'a session that hasn’t begun');
    await waitFor(() => first.choices.facts, 'the planned worktree');
    return { page, first };
  }

  /** Changes branch and base as `choose` answers, and begins the session. */
  async begin(): Promise<void> {
    const { first } = await this.planned();
    await first.choose('fact', 'branch');
    await first.choose('fact', 'base');
    await first.begin();
  }

  async created(branch: string): Promise<Session> {
    this.choose(branch);
    await this.begin();
    return this.sessionOf(branch);
  }
}
