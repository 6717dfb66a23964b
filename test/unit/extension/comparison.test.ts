import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { restoreComparison } from '../../../src/features/worktrees/comparison/openComparison';
import type { Session } from '../../../src/model/session/session';
import type { ToComparison } from '../../../src/shared/comparison/comparison';
import { ableInitialize } from '../../fakeAgent/scenario';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { type ExtensionBench, fakeEntry, waitFor } from '../../vscode/harness/support';
import { WorktreeBench } from '../../vscode/harness/worktreeBench';

describe('sessions of one prompt', () => {
  let trees: WorktreeBench;
  let bench: ExtensionBench;
  let dialogs: Dialogs;

  beforeEach(async () => {
    trees = await WorktreeBench.create();
    ({ bench, dialogs } = trees);
  });
  afterEach(() => trees.dispose());

  /** The page, as long as its messages are listened to. */
  function watchPage() {
    const shown: ToComparison[] = [];
    const panels: vscode.WebviewPanel[] = [];
    const listeners: ((message: unknown) => void)[] = [];
    const { createWebviewPanel } = vscode.window;
    const restore = replaceMember(
      vscode.window,
      'createWebviewPanel',
      (...args: Parameters<typeof createWebviewPanel>) => {
        const panel = createWebviewPanel(...args);
        panels.push(panel);
        replaceMember(panel.webview, 'postMessage', (message: ToComparison) => {
          shown.push(message);
          return Promise.resolve(true);
        });
        replaceMember(
          panel.webview,
          'onDidReceiveMessage',
          (listen: (typeof listeners)[number]) => {
            listeners.push(listen);
            return { dispose: () => undefined };
          },
        );
        return panel;
      },
    );
    const send = (message: unknown): void => {
      for (const listen of listeners) {
        listen(message);
      }
    };
    const isHidden = (): boolean => panels[0]?.visible === false;
    return { shown, send, isHidden, restore };
  }

  it('are compared from the header: what each has changed, and discarding one, with what is lost', async () => {
    const begun = async (branch: string): Promise<Session> => {
      trees.choose(branch);
      await trees.begin();
      return trees.sessionOf(branch.replace('/', '-'));
    };
    const one = await begun('fix/one');
    const two = await begun('fix/two');
    const facts = (session: Session) => bench.api.headerFacts.of(session).map(({ text }) => text);
    await bench.api.worktrees.refresh();
    await waitFor(() => facts(one).includes('Compare with 1 other'), 'the way there');
    await writeFile(path.join(one.info.cwd, 'new.txt'), 'a\nb\n');
    await bench.api.panels.show(two);
    const { shown, send, isHidden, restore } = watchPage();
    try {
      await bench.api.headerFacts.open(two, 'comparison');
      send({ type: 'ready' });
      const first = await waitFor(() => shown.at(-1), 'what the page shows');
      assert.deepEqual(
        first.sessions.map(({ branch, agent, files }) => [branch, agent, files]),
        [
          ['fix/one', 'Fake', 1],
          ['fix/two', 'Fake', 0],
        ],
      );
      assert.deepEqual(first.files, [{ name: 'new.txt', cells: [{ added: 2, removed: 0 }, null] }]);
      await two.close();
      const closed = await waitFor(
        () => shown.at(-1)?.sessions.find(({ unknown }) => unknown !== undefined),
        'the one that is closed',
      );
      assert.deepEqual(
        [closed.branch, closed.agent, closed.state, closed.hasSession, closed.files],
        ['fix/two', 'Fake', 'Not open', true, 0],
      );
      send({ type: 'open', key: closed.key });
      await waitFor(
        () => bench.api.sessions.find('fake', two.info.sessionId),
        'the session that is open again',
      );
      await waitFor(isHidden, 'its tab before the page');
      send({ type: 'ready' });
      dialogs.asked.length = 0;
      dialogs.answer = () => undefined;
      send({ type: 'discard', key: first.sessions[0]?.key });
      const asked = await waitFor(() => dialogs.asked[0], 'the question');
      assert.equal(asked.text, 'Remove Worktree “fix/one”');
      assert.ok(
        asked.choices.some((choice) => choice.includes('new.txt')),
        asked.choices.join(),
      );
      dialogs.answer = ({ kind, choices }) =>
        kind === 'input' ? 'fix/one' : choices.find((choice) => choice === 'Remove the Worktree');
      send({ type: 'discard', key: first.sessions[0]?.key });
      await waitFor(() => shown.at(-1)?.sessions.length === 1, 'the other one alone');
    } finally {
      restore();
    }
  });

  it('SEC-365: are there again after a reload, those of them that are worktrees of the window still', async () => {
    for (const branch of ['fix/one', 'fix/two']) {
      trees.choose(branch);
      await trees.begin();
    }
    const [one, two] = ['fix/one', 'fix/two'].map((branch) =>
      trees.treeOf(branch.replace('/', '-')),
    );
    const restored = async (tops: unknown): Promise<readonly string[] | undefined> => {
      const { shown, send, restore } = watchPage();
      try {
        const resources = vscode.Uri.file('/where nothing is');
        const panel = vscode.window.createWebviewPanel('acpSessions.comparison', '', 1);
        const page = await restoreComparison(bench.api, resources, panel, { tops });
        send({ type: 'ready' });
        const first = page && (await waitFor(() => shown.at(-1), 'what the page shows'));
        panel.dispose();
        return first?.sessions.map(({ branch }) => branch);
      } finally {
        restore();
      }
    };
    assert.deepEqual(await restored([one, two]), ['fix/one', 'fix/two']);
    const others = ['/', '/etc', `${one}/gone`, 7, 'x'.repeat(50_000), two];
    assert.equal(await restored(others), undefined, 'more than can be compared are cut');
    assert.deepEqual(await restored([two, ...others]), ['fix/two']);
    for (const state of [undefined, 'no list', others.slice(0, 3)]) {
      assert.equal(await restored(state), undefined);
    }
  });

  it('that work in one folder at the same time are warned of once, and a worktree is offered', async () => {
    await bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        commands: {
          go: [{ waitForCancel: true }, { result: { stopReason: 'cancelled' } }],
        },
      }),
    });
    const agent = await waitFor(() => bench.api.agents.get('fake'), 'the agent');
    const folder = bench.api.workspace.folders[0];
    assert.ok(folder);
    const warnings = () =>
      dialogs.asked.filter(({ kind, text }) => kind === 'warning' && /at the same time/.test(text));
    dialogs.answer = () => undefined;
    const all: Session[] = [];
    for (let count = 0; count < 3; count++) {
      const session = await bench.api.sessions.create(agent, folder);
      all.push(session);
      session.turns.submit({ text: 'go', attachments: [] });
      await waitFor(() => session.turns.current.kind === 'running', 'its turn');
      if (count === 1) {
        await waitFor(() => warnings().length === 1, 'the warning');
      }
    }
    assert.equal(warnings().length, 1);
    assert.deepEqual(warnings()[0]?.choices, ['New Session in Worktree']);
    for (const session of all) {
      session.turns.cancel();
    }
  });
});
