import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExtensionContext } from 'vscode';
import { vsCodeMcpServers } from '../../src/features/mcp/vsCodeMcpServers';
import { findMentionedPath } from '../../src/model/files/mentionPaths';
import { HideRules } from '../../src/model/list/hideRules';
import { readWorktrees } from '../../src/model/places/worktrees';
import { FileRequests } from '../../src/model/requests/fileRequests';
import { VsCodeFiles } from '../../src/platform/files/files';
import { OwnWrites } from '../../src/platform/files/ownWrites';
import { ReadOnlyDocuments } from '../../src/platform/files/readOnlyDocuments';
import { realPath } from '../../src/platform/files/realPath';
import { HeldSecrets } from '../../src/util/secrets/heldSecrets';
import { getAttachments } from '../../src/views/transcript/composer/attachments';
import { findMentioned } from '../../src/views/transcript/composer/findMentioned';
import { GitIgnores } from '../../src/views/transcript/composer/gitIgnores';
import { Uri } from '../support/vscode/uri';
import { ServerProcess } from '../unit/features/prompts/server/serverProcess';
import { factsOf } from '../unit/features/prompts/server/world';
import { silentLog } from '../unit/model/fakes';
import type { Check } from './check';
import { type HostileWorkspace, makeHostileWorkspace, secret, slowRules } from './hostileWorkspace';

/** The limit for calls that wait forever without working; the runner kills those that work forever. */
const patienceMs = 10_000;

/** Rejects if the promise doesn't settle in time. */
async function ends<T>(what: string, promise: PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer ever`)), patienceMs);
  });
  try {
    return await Promise.race([promise, never]);
  } finally {
    clearTimeout(timer);
  }
}

/** Attacks with a hostile folder, then checks that files can still be read. */
function check(name: string, run: (workspace: HostileWorkspace) => Promise<string>): Check {
  return {
    name,
    run: async ({ size }) => {
      const workspace = await makeHostileWorkspace(size(10_000, 30));
      try {
        const note = await run(workspace);
        const ordinary = path.join(workspace.folder, 'ordinary.txt');
        const reads = Array.from({ length: 8 }, () => readFile(ordinary, 'utf8'));
        await ends('reading an ordinary file afterwards', Promise.all(reads));
        return note;
      } finally {
        await workspace.dispose();
      }
    },
  };
}

function files(): VsCodeFiles {
  return new VsCodeFiles(new ReadOnlyDocuments(), new OwnWrites());
}

const never = () => ({ dispose: () => undefined });

function workspaceOf(folder: string) {
  return { folders: [{ name: 'hostile', path: folder }], trusted: true, onDidChange: never };
}

export const workspaceChecks: readonly Check[] = [
  check('work trees', async ({ folder, outside }) => {
    const found: string[] = [];
    for (const place of ['', 'linked', 'endless', 'loop']) {
      const trees = await ends(
        `work trees of "${place}"`,
        readWorktrees(path.join(folder, place), realPath),
      );
      found.push(...trees.map((tree) => tree.path));
    }
    assert.ok(!found.some((tree) => tree.startsWith(outside)), 'one lies outside');
    return `${found.length} work trees`;
  }),
  check('MCP servers of the folder', async ({ folder }) => {
    const secrets = { get: () => Promise.resolve(undefined), keys: () => Promise.resolve([]) };
    const storageUri = { fsPath: path.join(folder, '..', 'storage') };
    const context = {
      secrets,
      storageUri,
      globalStorageUri: storageUri,
    } as unknown as ExtensionContext;
    const held = new HeldSecrets();
    const servers = vsCodeMcpServers(context, workspaceOf(folder), silentLog, held, {
      note: () => Promise.resolve(),
    });
    const found = await ends('.vscode/mcp.json', servers.servers(folder));
    assert.deepEqual(found, []);
    return 'none';
  }),
  check('reads that an agent asks for', async ({ folder, unreadable, leading }) => {
    const requests = new FileRequests({
      files: files(),
      workspace: workspaceOf(folder),
      realPath,
    });
    const read = (name: string) =>
      ends(
        name,
        requests.read([folder], { sessionId: 's', path: path.join(folder, name) }).then(
          (text) => text,
          (error: unknown) => `refused: ${String(error)}`,
        ),
      );
    assert.equal(await read('ordinary.txt'), 'Ordinary text\n');
    const answers = await Promise.all([...unreadable, ...leading].map(read));
    for (const [index, answer] of answers.entries()) {
      assert.match(answer.slice(0, 100), /^refused: /, [...unreadable, ...leading][index]);
      assert.ok(!answer.includes(secret));
    }
    return `${answers.length} refused`;
  }),
  check('files that a person attaches', async ({ folder, unreadable }) => {
    const uris = unreadable.map((name) => Uri.file(path.join(folder, name)));
    const { attachments } = await ends(
      'attachments',
      getAttachments(uris as unknown as Parameters<typeof getAttachments>[0], true),
    );
    const requests = new FileRequests({ files: files(), workspace: workspaceOf(folder), realPath });
    for (const name of unreadable) {
      const file = path.join(folder, name);
      const read = requests.readAttached(file).then(
        () => 'read',
        () => 'refused',
      );
      assert.equal(await ends(name, read), 'refused', name);
    }
    return `${attachments.length} attached`;
  }),
  check('files that a message mentions', async ({ folder, unreadable, leading }) => {
    const names = [...unreadable, ...leading, 'ordinary.txt', 'new\nline.txt', 'a\u202etxt.exe'];
    const found = await ends('mentions', findMentioned(names, { cwd: folder, roots: [folder] }));
    assert.ok(found.includes('ordinary.txt'));
    assert.ok(!found.some((name) => leading.includes(name)), found.join(', '));
    const boundary = { roots: [folder], folders: [folder] };
    for (const name of leading) {
      assert.equal(await ends(name, findMentionedPath(name, boundary, realPath)), undefined);
    }
    return `${found.length} of ${names.length}`;
  }),
  check('what git ignores', async ({ folder }) => {
    const text = await readFile(path.join(folder, '.gitignore'), 'utf8');
    const ignores = new GitIgnores(new Map([['', text]]));
    for (const depth of [20, 60, 120]) {
      ignores.ignores(`${'a/'.repeat(depth)}b.txt`);
      ignores.ignores(`${'a'.repeat(depth * 4)}.txt`);
    }
    return 'answered';
  }),
  check('rules for titles to hide', async () => {
    const rules = new HideRules([...slowRules, 'Noise*']);
    const titles = Array.from({ length: 10_000 }, (_, index) => `${'a'.repeat(60)} ${index}`);
    const hidden = rules.hidden([...titles, `${'x'.repeat(5000)}!`, 'Noise 1']);
    assert.ok(hidden.size <= titles.length);
    return Promise.resolve(`${hidden.size} hidden`);
  }),
  check('the prompt server', async ({ folder, unreadable, leading }) => {
    const client = await ServerProcess.start({ folders: [folder] });
    try {
      const names = [...unreadable, ...leading, 'ordinary.txt', 'many', 'd/d/d/d', 'a/a/a/a'];
      const text = `${names.map((name) => `@${name}#L1-2`).join('\n')}\n@ord`;
      const uri = client.open(text);
      client.bind(uri, factsOf({ roots: [folder] }));
      const { items } = await ends('completion', client.complete(uri));
      assert.ok(items.some(({ label }) => label.includes('ordinary')));
      await ends('hover', client.hover(uri, '@pipe'));
      await ends('links', client.links(uri));
      await ends(
        'problems',
        client.diagnostics(uri, (codes) => codes.length > 0),
      );
      const prompt = pathToFileURL(path.join(folder, '.acp', 'prompts', 'front.prompt.acp')).href;
      client.open(await readFile(new URL(prompt), 'utf8'), prompt);
      await ends('symbols', client.ask('textDocument/documentSymbol', prompt));
      assert.equal(await ends('its end', client.stop()), 0);
      return `${items.length} completions`;
    } finally {
      await client.kill();
    }
  }),
];
