import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addAgent } from '../../../src/features/registry/addAgent';
import { isOnPath } from '../../../src/features/registry/localPrograms';
import { findPlatformTarget } from '../../../src/features/registry/model/registryAgent';
import type { JsonObject } from '../../../src/util/json';
import { fakeAgent } from '../../fakeAgent/scenario';
import { tarGzipOf } from '../../support/archives';
import { entry, RegistryServer, registryOf } from '../../support/registryServer';
import { Dialogs } from '../../vscode/harness/dialogs';
import { Pickers } from '../../vscode/harness/pickers';
import { ExtensionBench, fakeEntry, update, waitFor } from '../../vscode/harness/support';

/** Another machine than this one, in a registry. */
const elsewhere = process.platform === 'linux' ? 'darwin-x86_64' : 'linux-x86_64';

describe('the agent registry', () => {
  let bench: ExtensionBench;
  let server: RegistryServer;
  let dialogs: Dialogs;
  let pickers: Pickers;
  /** What the server sends for these paths. */
  const archives = new Map<string, Buffer>();
  const path = process.env['PATH'];
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    server = await RegistryServer.start();
    dialogs = new Dialogs();
    pickers = new Pickers();
    await bench.setAgents({ mine: fakeEntry('Mine', {}) });
    await bench.api.choices.setGrouping('agent');
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
    await bench.api.registryStorage.icons.set({});
    await rm(bench.api.registryStorage.consents, { recursive: true, force: true });
    archives.clear();
    await rm(bench.api.registryStorage.agents, { recursive: true, force: true });
    await server.close();
    await bench.dispose();
  });

  async function writeProgram(name: string, script = ''): Promise<void> {
    const file = bench.file(process.platform === 'win32' ? `${name}.cmd` : name);
    await writeFile(file, script, { mode: 0o755 });
  }

  /** A program that is an agent, whatever its arguments. */
  function agentScript(): string {
    const { command, args } = fakeAgent({});
    const words = [command, ...args].map((word) => `'${word}'`).join(' ');
    return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${words}\n`;
  }

  const agentRow = (id: string) =>
    bench.nodes().find((own) => own.kind === 'agent' && own.agent.id === id);

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

  it('SEC-47: is walked from Add Agent… to an agent that is set up, at an exact version', async () => {
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
    const row = agentRow('poet');
    assert.ok(row);
    const { collapsibleState } = bench.api.view.getTreeItem(row);
    assert.equal(collapsibleState, vscode.TreeItemCollapsibleState.Expanded, 'starts at once');
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

  it('has icons, in the colors of the theme, in the list and in the rows of agents', async () => {
    const poem =
      '<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 2h3" fill="currentColor"/></svg>';
    const registry = registryOf(
      entry('poet', { icon: `${server.origin}/poet.svg` }),
      entry('zero'),
    );
    server.answer = (request, response) =>
      response.end(request.url === '/poet.svg' ? poem : registry);
    dialogs.answer = ({ choices }) => choices[0];
    await writeProgram('npx', agentScript());
    const done = vscode.commands.executeCommand('acpSessions.agent.add');
    const picker = await pickers.shown();
    const item = await waitFor(() => {
      const row = rowOf(picker.items, 'Agent poet');
      return !picker.busy && row && drawnIn(row.iconPath) !== '' ? row : undefined;
    }, 'the icon');
    const other = rowOf(picker.items, 'Agent zero')?.iconPath;
    assert.deepEqual(other, new vscode.ThemeIcon('hubot'));
    // The first row, so it is active.
    await pickers.accept(done);
    // It starts at once, and shows that until it has started.
    const drawn = await waitFor(() => {
      const row = agentRow('poet');
      return row && (drawnIn(bench.api.view.getTreeItem(row).iconPath) || undefined);
    }, 'the row’s icon');
    assert.equal(drawn, drawnIn(item.iconPath));
    const shape = (color: string) => `<path d="M1 2h3" fill="${color}"/>`;
    assert.match(drawn, new RegExp(`${shape('#424242')}.*${shape('#c5c5c5')}`));
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/registry.json', '/poet.svg'],
    );
  });

  /** Both images of an icon, the one for light themes first. */
  function drawnIn(icon: vscode.TreeItem['iconPath']): string {
    if (typeof icon !== 'object' || !('light' in icon)) {
      return '';
    }
    return [icon.light, icon.dark]
      .map(({ path: data }) => Buffer.from(data.replace(/^.*,/, ''), 'base64').toString())
      .join();
  }

  it('SEC-47: writes nothing unless the user agrees', async () => {
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

  /** A program that is an agent; for this machine, in a registry. */
  function binaryOf(name: string, bytes: Buffer, more: JsonObject = {}): JsonObject {
    const target = findPlatformTarget(process.platform, process.arch);
    assert.ok(target);
    archives.set(`/${name}.tar.gz`, bytes);
    const archive = `${server.origin}/${name}.tar.gz`;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { binary: { [target]: { archive, sha256, cmd: './bin/poet', args: ['acp'], ...more } } };
  }

  /** Serves a registry, and what was put in `archives`. */
  function serve(text: string): void {
    server.answer = (request, response) => {
      const bytes = archives.get(request.url ?? '');
      response.end(bytes ?? text);
    };
  }

  const working = (): Buffer =>
    tarGzipOf({ name: 'bin/poet', content: agentScript(), mode: 0o755 });

  it('SEC-48, SEC-55: downloads a program, updates it beside the old one, goes back, and removes it', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const version = (number: string, bytes: Buffer) =>
      registryOf(entry('poet', { version: number, distribution: binaryOf(number, bytes) }));
    serve(version('1.0.0', working()));
    dialogs.answer = ({ choices }) => choices[0];
    await add('Agent poet', '1.0.0 · download');
    const first = await waitFor(() => bench.api.agents.get('poet'), 'the agent');
    const { agents: folder } = bench.api.registryStorage;
    const oldProgram = first.config.command;
    const inFolder = (version: string): RegExp =>
      new RegExp(`/poet/${version.replaceAll('.', '\\.')}_[\\da-f]+/files/bin/poet$`);
    assert.ok(oldProgram.startsWith(folder));
    assert.match(oldProgram, inFolder('1.0.0'));
    assert.deepEqual(first.config.args, ['acp']);
    const [question] = dialogs.asked;
    assert.match(question?.text ?? '', /^Download Agent poet 1\.0\.0 and add it/);
    for (const words of ['Publisher: Ada', '/1.0.0.tar.gz', 'Verified', oldProgram]) {
      assert.ok(question?.detail?.includes(words), words);
    }
    await first.connect();
    const run = (id: string) => vscode.commands.executeCommand(id, agentRow('poet'));
    const broken = tarGzipOf({ name: 'bin/poet', content: '#!/bin/sh\nexit 3\n', mode: 0o755 });
    serve(version('2.0.0', broken));
    dialogs.messagesStay = true;
    dialogs.answer = ({ kind, choices }) => (kind === 'error' ? undefined : choices[0]);
    await run('acpSessions.agent.update');
    await waitFor(
      () => dialogs.texts('error').some((text) => text.includes('2.0.0 couldn’t be started')),
      'the way back',
    );
    assert.equal(bench.api.agents.get('poet'), first, 'the old one runs on');
    assert.equal(first.state.kind, 'ready');
    assert.equal((await readdir(`${folder}/poet`)).length, 1, 'the broken one is gone');
    dialogs.answer = ({ choices }) => choices[0];
    serve(version('2.0.1', working()));
    await run('acpSessions.agent.update');
    await waitFor(
      () => inFolder('2.0.1').test(bench.api.agents.get('poet')?.config.command ?? ''),
      'the new version',
    );
    dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? '1.0.0' : choices[0]);
    await run('acpSessions.agent.useVersion');
    await waitFor(
      () => bench.api.agents.get('poet')?.config.command === oldProgram,
      'the old version',
    );
    dialogs.answer = ({ choices }) => choices.at(-1);
    await run('acpSessions.agent.remove');
    assert.deepEqual(dialogs.asked.at(-1)?.choices, ['Remove', 'Remove and Delete Program']);
    assert.ok(!ids().includes('poet'));
    await assert.rejects(readdir(`${folder}/poet`));
  });

  it('SEC-48: names on the button that a program can’t be verified; installs none that isn’t right', async () => {
    const distribution = binaryOf('poet', working(), { sha256: undefined });
    serve(registryOf(entry('poet', { distribution })));
    await add('Agent poet', 'download');
    await waitFor(() => dialogs.asked.length > 0, 'the question');
    assert.deepEqual(dialogs.asked[0]?.choices, ['Download Without Verification']);
    assert.match(dialogs.asked[0].detail ?? '', /Not verified/);
    const wrong = binaryOf('poet', working(), { sha256: '0'.repeat(64) });
    serve(registryOf(entry('poet', { distribution: wrong })));
    dialogs.answer = ({ kind, choices }) => (kind === 'error' ? undefined : choices[0]);
    await add('Agent poet', 'download');
    await waitFor(
      () => dialogs.texts('error').some((text) => text.includes('checksum differs')),
      'the reason',
    );
    assert.ok(!ids().includes('poet'));
    await assert.rejects(readdir(`${bench.api.registryStorage.agents}/poet`));
  });

  it('lets the user choose between a package and a program, and has none for other machines', async () => {
    const npx = { package: '@poems/poet@1.2.3' };
    serve(registryOf(entry('poet', { distribution: { ...binaryOf('a', working()), npx } })));
    await add('Agent poet', 'npx, download');
    await waitFor(() => dialogs.asked.length > 0, 'the question');
    assert.deepEqual(dialogs.asked[0]?.choices, ['Add', 'Download Program Instead…']);
    const binary = { [elsewhere]: { archive: 'https://example.com/a.zip', cmd: './poet' } };
    serve(registryOf(entry('poet', { distribution: { binary } })));
    await add('Agent poet', 'not for this machine');
    await waitFor(() => dialogs.asked.length > 1, 'an explanation');
    assert.match(dialogs.asked[1]?.text ?? '', /no program for this machine/);
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

  it('offers what is installed on this machine first, in any language, and what can’t run here last', async () => {
    const binary = { [elsewhere]: { archive: 'https://example.com/a.zip', cmd: './a' } };
    server.serve(
      registryOf(
        entry('away', { distribution: { binary } }),
        ...[entry('poet'), entry('opencode', { name: 'OpenCode' })],
      ),
    );
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
      const agents = picker.items
        .map(({ label }) => label)
        .filter((label) => /^Agent [a-z]/.test(label));
      assert.deepEqual(agents.slice(-2), ['Agent poet', 'Agent away']);
      await pickers.moveTo(item);
      await pickers.accept(done);
    } finally {
      l10n.config({ contents: {} });
    }
    const agent = await waitFor(() => bench.api.agents.get('opencode'), 'the agent');
    assert.deepEqual([agent.config.command, ...agent.config.args], ['opencode', 'acp']);
  });

  it('SEC-47: marks an agent that has a newer version, and updates it only when asked to', async () => {
    server.serve(registryOf(entry('poet')));
    const old = {
      ...{ title: 'My Poet', command: 'npx', cwd: bench.folder },
      ...{ args: ['--yes', '--', '@poems/poet@1.0.0', '--acp'], env: { MINE: '1' } },
    };
    await bench.setAgents({ mine: fakeEntry('Mine', {}), poet: old });
    await writeProgram('npx', agentScript());
    const row = () => {
      const node = agentRow('poet');
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
      vscode.commands.executeCommand('acpSessions.agent.update', agentRow('poet'));
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
