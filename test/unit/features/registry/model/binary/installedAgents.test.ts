import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {
  InstalledAgents,
  type InstalledAgentsParts,
} from '../../../../../../src/features/registry/model/binary/installedAgents';
import {
  installedCommand,
  installedRunBy,
  versionName,
} from '../../../../../../src/features/registry/model/binary/installedVersion';
import { unpack } from '../../../../../../src/features/registry/model/binary/unpack';
import type { RegistryBinary } from '../../../../../../src/features/registry/model/registryAgent';
import { RegistryError } from '../../../../../../src/features/registry/model/registryError';
import { tarGzipOf, zipOf } from '../../../../../support/archives';
import { RegistryServer } from '../../../../../support/registryServer';
import { until } from '../../../../../support/until';

const program = '#!/bin/sh\n';
const archive = tarGzipOf({ name: 'poet', content: program, mode: 0o755 });
const sha256 = createHash('sha256').update(archive).digest('hex');
/** The claim of a process from before this machine was started. */
const deadClaim = '1_1_00000000-0000-0000-0000-000000000000_1_ab';

describe('an agent that is a program to download', () => {
  let server: RegistryServer;
  let folder: string;
  let logged: string[];
  beforeEach(async () => {
    server = await RegistryServer.start();
    folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'acp-agents-')), 'agents');
    logged = [];
    send(archive);
  });
  afterEach(async () => {
    await server.close();
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  function send(bytes: Buffer): void {
    server.answer = (_, response) => response.end(bytes);
  }

  function agents(more: Partial<InstalledAgentsParts> = {}): InstalledAgents {
    const log = (message: string): void => void logged.push(message);
    return new InstalledAgents({
      folder,
      registry: () => new URL(server.address),
      platform: process.platform,
      fetch: (input, init) => fetch(input, init),
      lookup: () => Promise.reject(new Error('unknown')),
      unpack: (request) => unpack(request),
      isRunning: () => Promise.resolve(false),
      log: { error: log, warn: log, info: log, debug: () => undefined, trace: log },
      ...more,
    });
  }

  function binary(more: Partial<RegistryBinary> = {}): RegistryBinary {
    return {
      ...{ version: '1.2.3', archive: `${server.origin}/poet.tar.gz`, sha256, cmd: ['poet'] },
      ...{ args: ['acp'], env: { STYLE: 'sonnet' }, refusedEnv: [] },
      ...more,
    };
  }

  const never = new AbortController().signal;
  const task = { signal: never, onStep: () => undefined };
  const names = (): Promise<string[]> => readdir(folder).catch(() => []);

  async function refusal(
    more: Partial<RegistryBinary> = {},
    parts: Partial<InstalledAgentsParts> = {},
  ): Promise<string> {
    const error: unknown = await agents(parts)
      .install('poet', binary(more), task)
      .then(
        () => assert.fail('it was installed'),
        (reason: unknown) => reason,
      );
    assert.ok(error instanceof RegistryError, String(error));
    assert.deepEqual(await agents().versions('poet'), []);
    assert.deepEqual(
      (await names()).filter((name) => name !== 'poet'),
      [],
      'nothing is left',
    );
    return `${error.message} ${error.detail}`;
  }

  it('is downloaded, verified and unpacked into a folder of its version, with its progress', async () => {
    const steps: string[] = [];
    const installed = await agents().install('poet', binary(), {
      signal: never,
      onStep: (step) => steps.push(step.kind),
    });
    const file = path.join(folder, 'poet', versionName(binary()), 'files', 'poet');
    assert.deepEqual(installed.command, [file, 'acp']);
    assert.deepEqual(installed.command, installedCommand(folder, 'poet', binary()));
    assert.equal(installedRunBy(file, folder)?.version, '1.2.3');
    assert.deepEqual(installed.binary, binary());
    assert.equal(await readFile(file, 'utf8'), program);
    assert.deepEqual([...new Set(steps)], ['download', 'unpack']);
    assert.deepEqual(await names(), ['poet']);
    await agents().install('poet', binary(), task);
    assert.equal(server.requests.length, 1, 'it is there already');
    const [request] = server.requests;
    assert.deepEqual([request?.['cookie'], request?.['authorization']], [undefined, undefined]);
  });

  it('SEC-51: is downloaded anew if anything of what the user agreed to differs from what is there', async () => {
    const first = await agents().install('poet', binary(), task);
    const other = tarGzipOf(
      { name: 'poet', content: `${program}# other\n`, mode: 0o755 },
      { name: 'bin/poet', content: program, mode: 0o755 },
    );
    send(other);
    const otherSum = createHash('sha256').update(other).digest('hex');
    const changed: readonly Partial<RegistryBinary>[] = [
      { sha256: otherSum },
      { sha256: undefined },
      { sha256: otherSum, archive: `${server.origin}/other/poet.tar.gz` },
      { sha256: otherSum, cmd: ['bin', 'poet'] },
      { sha256: otherSum, args: ['acp', '--yolo'] },
      { sha256: otherSum, env: { STYLE: 'haiku' } },
      { sha256: otherSum, env: {} },
    ];
    const folders = new Set([first.name]);
    for (const more of changed) {
      const installed = await agents().install('poet', binary(more), task);
      assert.deepEqual(installed.binary, binary(more));
      folders.add(installed.name);
      assert.equal(server.requests.length, folders.size);
    }
    assert.equal(folders.size, 1 + changed.length, 'each is in a folder of its own');
    assert.equal(await readFile(first.command[0] ?? '', 'utf8'), program, 'the first one stays');
    const wrong = agents().install('poet', binary({ sha256: '0'.repeat(64) }), task);
    await assert.rejects(wrong, /checksum differs/);
    assert.equal((await agents().versions('poet')).length, folders.size);
  });

  it('SEC-51: that an earlier release has installed is listed and removed, but not taken for a download', async () => {
    const { name } = await agents().install('poet', binary(), task);
    const of = (each: string): string => path.join(folder, 'poet', each);
    await rename(of(name), of('1.2.3'));
    const [old, ...others] = await agents().versions('poet');
    assert.ok(old);
    assert.deepEqual(others, []);
    assert.deepEqual(old.binary, binary());
    assert.equal(installedRunBy(old.command[0] ?? '', folder)?.name, '1.2.3');
    const installed = await agents().install('poet', binary(), task);
    assert.equal(installed.name, name);
    assert.equal(server.requests.length, 2);
    assert.equal((await agents().versions('poet')).length, 2);
    assert.equal(await agents().remove(old, never), true);
    assert.deepEqual(await readdir(path.join(folder, 'poet')), [name]);
    await rm(path.join(of(name), 'install.json'));
    assert.deepEqual(await agents().versions('poet'), [], 'nothing is known of it');
  });

  it('without a checksum is installed all the same; the user was told', async () => {
    const installed = await agents().install('poet', binary({ sha256: undefined }), task);
    assert.equal(installed.binary.sha256, undefined);
  });

  it('SEC-54: is installed once if two windows install it at a time', async () => {
    const both = await Promise.all([
      agents().install('poet', binary(), task),
      agents().install('poet', binary(), task),
    ]);
    assert.deepEqual(both[0], both[1]);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(await names(), ['poet']);
  });

  it('SEC-54: doesn’t wait for a window that is no more, and removes what that has left', async function () {
    // Elsewhere, a process of which nothing is known counts as alive.
    if (process.platform !== 'linux') {
      this.skip();
    }
    await mkdir(path.join(folder, '.lock'), { recursive: true });
    await writeFile(path.join(folder, '.lock', deadClaim), '');
    await mkdir(path.join(folder, '.new-ab', 'whole'), { recursive: true });
    await mkdir(path.join(folder, '.old-cd'));
    const half = path.join(folder, 'poet', versionName(binary()), 'files');
    await mkdir(half, { recursive: true });
    await agents().install('poet', binary(), task);
    assert.deepEqual(await names(), ['poet']);
    assert.equal((await agents().versions('poet')).length, 1);
  });

  it('that another window is installing can be waited for, or given up', async () => {
    const abort = new AbortController();
    let release: (() => void) | undefined;
    server.answer = (_, response) => {
      release = () => response.end(archive);
    };
    const first = agents().install('poet', binary(), task);
    await until(() => release !== undefined);
    const second = agents().install('poet', binary(), {
      signal: abort.signal,
      onStep: ({ kind }) => {
        if (kind === 'waiting') {
          abort.abort(new Error('given up'));
        }
      },
    });
    await assert.rejects(second, /given up/);
    release?.();
    await first;
    assert.deepEqual(await names(), ['poet']);
  });

  const lies: readonly (readonly [string, RequestListener, RegExp])[] = [
    ['other bytes', (_, response) => response.end(zipOf([])), /checksum differs/],
    ['an error', (_, response) => response.writeHead(404).end(), /\(404\)/],
    [
      'half of it',
      (_, response) => {
        response.writeHead(200, { 'content-length': `${archive.length}` });
        response.write(archive.subarray(0, 50));
        setImmediate(() => response.destroy());
      },
      /interrupted/,
    ],
    [
      'half of it, in pieces',
      (_, response) => {
        response.write(archive.subarray(0, 50));
        setImmediate(() => response.destroy());
      },
      /interrupted/,
    ],
    [
      'an address of a private network',
      (_, response) => response.writeHead(302, { location: 'https://10.0.0.1/a.tar.gz' }).end(),
      /isn’t safe to read/,
    ],
    [
      'an address without encryption',
      (_, response) => response.writeHead(302, { location: 'http://example.com/a' }).end(),
      /isn’t safe to read/,
    ],
    [
      'itself, again and again',
      (request, response) => response.writeHead(302, { location: request.url ?? '' }).end(),
      /from address to address/,
    ],
  ];
  for (const [what, answer, words] of lies) {
    it(`SEC-49: isn’t installed if the server sends ${what}, and nothing is left`, async () => {
      server.answer = answer;
      assert.match(await refusal(), words);
      assert.equal(logged.length, 1);
    });
  }

  it('SEC-49: isn’t downloaded from an address that the registry may not name', async () => {
    for (const address of [
      'https://10.0.0.1/poet.tar.gz',
      'https://localhost/poet.tar.gz',
      'http://127.0.0.1:9/poet.tar.gz',
      'https://169.254.169.254/poet.tar.gz',
    ]) {
      assert.match(await refusal({ archive: address }), /isn’t safe to read/, address);
    }
    assert.match(await refusal({}, { registry: () => undefined }), /isn’t safe to read/);
    assert.equal(server.requests.length, 0);
  });

  it('isn’t installed if its archive is bad, and says what is wrong', async () => {
    const bad: readonly (readonly [Buffer, RegExp])[] = [
      [tarGzipOf({ name: '../poet', content: 'x' }), /outside of its folder/],
      [tarGzipOf({ name: 'poem', content: 'x' }), /doesn’t contain the program/],
      [zipOf([{ name: 'poet', content: 'x' }]), /isn’t the kind of file/],
      [archive.subarray(0, 40), /is damaged/],
    ];
    for (const [bytes, words] of bad) {
      send(bytes);
      assert.match(await refusal({ sha256: undefined }), words);
    }
    assert.match(await refusal({ archive: `${server.origin}/poet.dmg` }), /can’t be unpacked here/);
  });

  it('SEC-54: isn’t half installed if the disk is full', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
    const words = await refusal(
      {},
      {
        create: () =>
          Promise.resolve({
            writeFile: () => Promise.reject(full),
            sync: async () => {},
            close: async () => {},
          }),
      },
    );
    assert.match(words, /no room left/);
    const unpackFull = { unpack: () => Promise.reject(full) };
    assert.match(await refusal({}, unpackFull), /no room left/);
  });

  it('SEC-54: leaves nothing if the user cancels it', async () => {
    const abort = new AbortController();
    server.answer = (_, response) => {
      response.write(archive.subarray(0, 50));
      abort.abort(new Error('canceled'));
    };
    await assert.rejects(
      agents().install('poet', binary(), { signal: abort.signal, onStep: () => undefined }),
      /canceled/,
    );
    assert.deepEqual(await names(), []);
    assert.deepEqual(logged, []);
  });

  it('is listed with its versions, the newest first, but not what someone has changed', async () => {
    for (const version of ['1.9.0', '1.10.0']) {
      await agents().install('poet', binary({ version }), task);
    }
    const versions = async (): Promise<string[]> =>
      (await agents().versions('poet')).map((installed) => installed.binary.version);
    assert.deepEqual(await versions(), ['1.10.0', '1.9.0']);
    const newest = versionName(binary({ version: '1.10.0' }));
    const record = path.join(folder, 'poet', newest, 'install.json');
    const text = await readFile(record, 'utf8');
    for (const changed of [
      '',
      '{}',
      text.replace('"cmd":"poet"', '"cmd":"../../1.9.0/files/poet"'),
      text.replace('"cmd":"poet"', '"cmd":"/bin/sh"'),
      text.replace('1.10.0', '1.9.0'),
      text.replace('"acp"', '"yolo"'),
      text.replace('sonnet', 'haiku'),
      text.replace('"acp"', '"${env:HOME}"'),
      text + ' '.repeat(600_000),
    ]) {
      await writeFile(record, changed);
      assert.deepEqual(await versions(), ['1.9.0'], changed.slice(0, 100));
    }
  });

  it('SEC-55: is deleted as a whole, unless it runs', async () => {
    const installed = await agents().install('poet', binary(), task);
    const running = agents({ isRunning: () => Promise.resolve(true) });
    assert.equal(await running.remove(installed, never), false);
    assert.equal((await agents().versions('poet')).length, 1);
    assert.equal(await agents().remove(installed, never), true);
    assert.deepEqual(await names(), []);
  });

  it('SEC-55: may run in any window: the processes of this machine tell', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const { runsFrom } = await import('../../../../../../src/util/process/runsFrom');
    assert.equal(await runsFrom(path.dirname(process.execPath)), true);
    assert.equal(await runsFrom(folder), false);
    await assert.rejects(stat(folder));
  });
});
