import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addAgent } from '../../src/commands/agents/addAgent';
import { isOnPath } from '../../src/commands/agents/localPrograms';
import { entry, RegistryServer, registryOf } from '../support/registryServer';
import { Dialogs } from './harness/dialogs';
import { Pickers } from './harness/pickers';
import { ExtensionBench, fakeEntry, update, waitFor } from './harness/support';

describe('the agent registry', () => {
  let bench: ExtensionBench;
  let server: RegistryServer;
  let dialogs: Dialogs;
  let pickers: Pickers;
  const path = process.env['PATH'];
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    server = await RegistryServer.start();
    dialogs = new Dialogs();
    pickers = new Pickers();
    await bench.setAgents({ mine: fakeEntry('Mine', {}) });
    await update('registry', server.address);
    await writeProgram('npx');
    process.env['PATH'] = bench.folder;
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    dialogs.dispose();
    pickers.dispose();
    await update('registry', undefined);
    await bench.api.registryStorage.newerVersions.set({});
    await bench.api.registryStorage.consents.update('registry.consents', undefined);
    await server.close();
    await bench.dispose();
  });

  async function writeProgram(name: string): Promise<void> {
    const file = bench.file(process.platform === 'win32' ? `${name}.cmd` : name);
    await writeFile(file, '', { mode: 0o755 });
  }

  /** Chooses a row of "Add Agent…", once it has these words. */
  async function add(label: string, description = ''): Promise<void> {
    const done = vscode.commands.executeCommand('acpSessions.agent.add');
    const picker = await pickers.shown();
    const item = await waitFor(
      () => !picker.busy && rowOf(picker.items, label, description),
      `the row of ${label}`,
    );
    picker.activeItems = [item];
    await pickers.accept(done);
  }

  function rowOf(
    items: readonly vscode.QuickPickItem[],
    label: string,
    description = '',
  ): vscode.QuickPickItem | undefined {
    return items.find(
      (item) => item.label.includes(label) && (item.description ?? '').includes(description),
    );
  }

  const ids = (): string[] => Object.keys(bench.api.settings.userAgents).sort();

  it('is walked from Add Agent… to an agent that is set up, at an exact version', async () => {
    const distribution = {
      npx: {
        package: '@poems/poet@1.2.3',
        args: ['--acp'],
        env: { POET_STYLE: 'sonnet', NODE_OPTIONS: '--require=/tmp/evil.js' },
      },
    };
    server.serve(registryOf(entry('poet', { distribution }), { id: 'broken' }));
    dialogs.answer = ({ choices }) => choices[0];
    await add('Agent poet', '1.2.3 · npx');
    const agent = await waitFor(() => bench.api.agents.get('poet'), 'the agent');
    const { title, command, args, env } = agent.config;
    assert.deepEqual([title, command], ['Agent poet', 'npx']);
    assert.deepEqual(args, ['--yes', '--', '@poems/poet@1.2.3', '--acp']);
    assert.deepEqual(env, { POET_STYLE: 'sonnet' });
    const [question] = dialogs.asked;
    assert.equal(question?.text, 'Add Agent poet 1.2.3 to your settings?');
    for (const words of [
      'Publisher: Ada',
      'npm: @poems/poet 1.2.3',
      'License: MIT',
      'npx --yes -- @poems/poet@1.2.3 --acp',
      'POET_STYLE=sonnet',
      'NODE_OPTIONS',
      'with your permissions',
    ]) {
      assert.ok(question.detail?.includes(words), words);
    }
    await update('agents', { demo: null, mine: fakeEntry('Mine', {}) });
    await add('Agent poet');
    await waitFor(() => ids().includes('poet'), 'the agent again');
    assert.equal(dialogs.asked.length, 1, 'it was agreed to');
    assert.equal(server.requests.length, 2, 'asked with each command, and only then');
  });

  it('writes nothing unless the user agrees', async () => {
    server.serve(registryOf(entry('poet')));
    await add('Agent poet');
    assert.equal(dialogs.asked.length, 1);
    assert.ok(!ids().includes('poet'));
  });

  it('that can’t be read says so, offers to retry, and lists what was known before', async () => {
    server.answer = (_, response) => response.end('<html>');
    const done = vscode.commands.executeCommand('acpSessions.agent.add');
    const picker = await pickers.shown();
    const retry = await waitFor(() => !picker.busy && rowOf(picker.items, 'Retry'), 'the reason');
    assert.match(retry.description ?? '', /isn’t an agent registry/);
    assert.ok(rowOf(picker.items, 'Claude Agent'), 'the bundled list');
    server.serve(registryOf(entry('poet')));
    picker.activeItems = [retry];
    await waitFor(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return rowOf(picker.items, 'Agent poet');
    }, 'the registry');
    assert.equal(rowOf(picker.items, 'Retry'), undefined);
    await pickers.close();
    await done;
  });

  it('lists programs to download, and says that they aren’t installed from here', async () => {
    const binary = { 'linux-x86_64': { archive: 'https://example.com/a.zip', cmd: './poet' } };
    server.serve(registryOf(entry('poet', { distribution: { binary } })));
    await add('Agent poet', 'binary');
    await waitFor(() => dialogs.asked.length > 0, 'an explanation');
    assert.match(dialogs.asked[0]?.text ?? '', /doesn’t install/);
    assert.deepEqual(dialogs.asked[0]?.choices, ['Open Page']);
    assert.ok(!ids().includes('poet'));
  });

  it('says where to get a program that is missing', async function () {
    if (await isOnPath('uvx')) {
      this.skip();
    }
    server.serve(registryOf(entry('snake', { distribution: { uvx: { package: 'snake' } } })));
    await add('Agent snake', 'uvx');
    await waitFor(() => dialogs.asked.length > 0, 'an explanation');
    assert.match(dialogs.asked[0]?.text ?? '', /needs uvx.*part of uv/);
    assert.deepEqual(dialogs.asked[0]?.choices, ['Get uv']);
  });

  it('offers what is installed on this machine first, in any language', async () => {
    server.serve(registryOf(entry('poet'), entry('opencode', { name: 'OpenCode' })));
    await writeProgram('opencode');
    l10n.config({ contents: { installed: 'installiert', Add: 'Hinzu' } });
    dialogs.answer = ({ choices }) => choices[0];
    try {
      const log = bench.api.log.component('registry');
      const done = addAgent({ ...bench.api, log });
      const picker = await pickers.shown();
      const item = await waitFor(
        () => !picker.busy && rowOf(picker.items, 'OpenCode', 'installiert'),
        'the installed one',
      );
      assert.ok(picker.items.indexOf(item) < 2);
      picker.activeItems = [item];
      await pickers.accept(done);
    } finally {
      l10n.config({ contents: {} });
    }
    const agent = await waitFor(() => bench.api.agents.get('opencode'), 'the agent');
    assert.deepEqual([agent.config.command, ...agent.config.args], ['opencode', 'acp']);
  });

  it('marks an agent that has a newer version, and updates it only when asked to', async () => {
    server.serve(registryOf(entry('poet')));
    const old = {
      ...{ title: 'My Poet', command: 'npx', cwd: bench.folder },
      ...{ args: ['--yes', '--', '@poems/poet@1.0.0', '--acp'], env: { MINE: '1' } },
    };
    await bench.setAgents({ mine: fakeEntry('Mine', {}), poet: old });
    const row = () => {
      const node = bench.nodes().find((own) => own.kind === 'agent' && own.agent.id === 'poet');
      return node && bench.api.view.getTreeItem(node);
    };
    assert.doesNotMatch(row()?.contextValue ?? '', /\boutdated\b/);
    const done = vscode.commands.executeCommand('acpSessions.agent.add');
    const picker = await pickers.shown();
    await waitFor(() => rowOf(picker.items, 'Agent poet', 'update available'), 'the mark');
    await pickers.close();
    await done;
    assert.match(row()?.contextValue ?? '', /\boutdated\b/);
    assert.deepEqual(bench.api.settings.userAgents['poet'], old, 'not by itself');
    const updateAgent = () =>
      vscode.commands.executeCommand(
        'acpSessions.agent.update',
        bench.nodes().find((own) => own.kind === 'agent' && own.agent.id === 'poet'),
      );
    await updateAgent();
    assert.deepEqual(bench.api.settings.userAgents['poet'], old, 'not without a yes');
    dialogs.answer = ({ choices }) => choices[0];
    await updateAgent();
    const question = dialogs.asked.at(-1);
    assert.equal(question?.text, 'Update My Poet from 1.0.0 to 1.2.3?');
    assert.ok(question.detail?.includes('@poems/poet@1.0.0 --acp'));
    assert.ok(question.detail?.includes('@poems/poet@1.2.3 --acp'));
    assert.deepEqual(question.choices, ['Update']);
    const args = ['--yes', '--', '@poems/poet@1.2.3', '--acp'];
    assert.deepEqual(bench.api.settings.userAgents['poet'], { ...old, args });
    await waitFor(() => row() && !row()?.contextValue?.includes('outdated'), 'the mark to go');
    await vscode.commands.executeCommand('acpSessions.agent.update');
    assert.match(dialogs.asked.at(-1)?.text ?? '', /no newer version/);
  });
});
