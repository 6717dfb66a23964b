import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type ArchiveKind,
  kindOfAddress,
} from '../../../../../../src/features/registry/model/binary/archiveKind';
import {
  type UnpackRequest,
  unpack,
} from '../../../../../../src/features/registry/model/binary/unpack';
import {
  UnpackError,
  type UnpackProblem,
} from '../../../../../../src/features/registry/model/binary/unpackError';
import { type ArchiveEntry, tarGzipOf, tarOf, zipOf } from '../../../../../support/archives';

const program = '#!/bin/sh\necho poem\n';
const poet: ArchiveEntry = { name: 'poet', content: program, mode: 0o755 };
const zipPoet: ArchiveEntry = { ...poet, mode: 0o100755 };
/** The program in a tar archive, and 4 MiB of zeros; packed with bzip2, for which Node has no packer. */
const bzip2 = {
  tar: 'QlpoOTFBWSZTWSJ8kNIAADXbgcqQaADfgAAEemPeAAACCAggAFRWoZBkNNGmaEYaCUSDTQDQAGhpCmKqDZRAvg+gfU5qAoc8SdvjhDFwjVENmIMaxzBE+egPH8ezVnNFH1M0rblqougC4u5IpwoSBE+SGkA=',
  zeros: 'QlpoOTFBWSZTWVYC4ogAICBIAMAAAAQACCAAMMwFKaYCAbECAeLuSKcKEgrAXFEA',
};
const limits = { bytes: 100_000, entries: 20 };

describe('an archive of an agent', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-unpack-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function take(
    kind: ArchiveKind,
    bytes: Uint8Array,
    more: Partial<UnpackRequest> = {},
  ): Promise<string> {
    const archive = path.join(folder, 'archive');
    const files = path.join(folder, 'files');
    await writeFile(archive, bytes);
    const { platform } = process;
    await unpack({ archive, kind, folder: files, cmd: ['poet'], platform, limits, ...more });
    return files;
  }

  async function refusal(
    ...args: Parameters<typeof take>
  ): Promise<readonly [UnpackProblem, string]> {
    const error: unknown = await take(...args).then(
      () => assert.fail('it was unpacked'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof UnpackError, String(error));
    return [error.problem, error.message];
  }

  const mode = async (...names: string[]): Promise<string> =>
    ((await stat(path.join(...names))).mode & 0o7777).toString(8);

  it('is unpacked whichever kind it is, and leaves nothing else', async () => {
    const files: readonly (readonly [ArchiveKind, Buffer])[] = [
      ['zip', zipOf([zipPoet])],
      ['tarGzip', tarGzipOf(poet)],
      ['tarBzip2', Buffer.from(bzip2.tar, 'base64')],
      ['program', Buffer.from(program)],
    ];
    for (const [kind, bytes] of files) {
      const unpacked = await take(kind, bytes);
      assert.equal(await readFile(path.join(unpacked, 'poet'), 'utf8'), program, kind);
      assert.deepEqual(await readdir(folder), ['files'], kind);
      if (process.platform !== 'win32') {
        assert.equal(await mode(unpacked, 'poet'), '755', kind);
      }
      await rm(unpacked, { recursive: true });
    }
  });

  it('SEC-52: keeps what can be run, and no right beyond that', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const entries = [
      { name: './bin/', type: '5', mode: 0o7777 },
      { name: './bin/tool', content: 'x', mode: 0o6755 },
      { name: './bin/data', content: 'x', mode: 0o666 },
      poet,
    ];
    const files = await take('tarGzip', tarGzipOf(...entries));
    assert.deepEqual(
      [await mode(files, 'bin'), await mode(files, 'bin/tool'), await mode(files, 'bin/data')],
      ['755', '755', '644'],
    );
    await rm(files, { recursive: true });
    const zipped = zipOf([
      { name: 'tool', content: 'x', mode: 0o106755 },
      { ...poet, mode: 0o100600 },
    ]);
    await take('zip', zipped);
    assert.deepEqual([await mode(files, 'tool'), await mode(files, 'poet')], ['755', '755']);
  });

  it('SEC-52: may have links that stay inside, and other names of its own files', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const entries = [
      { name: 'lib/real', content: 'real' },
      { name: 'bin/poet', type: '2', target: '../lib/real' },
      { name: 'lib/same', type: '1', target: 'lib/real' },
    ];
    const cmd = ['bin', 'poet'];
    const files = await take('tarGzip', tarGzipOf(...entries), { cmd });
    assert.equal(await readFile(path.join(files, 'bin/poet'), 'utf8'), 'real');
    assert.equal(await readFile(path.join(files, 'lib/same'), 'utf8'), 'real');
    await rm(files, { recursive: true });
    const zipped = [
      { name: 'bin/poet', content: '../lib/real', mode: 0o120777 },
      { name: 'lib/real', content: 'real', mode: 0o100644 },
    ];
    await take('zip', zipOf(zipped), { cmd });
    assert.equal(await readFile(path.join(files, 'bin/poet'), 'utf8'), 'real');
  });

  const unsafe: readonly (readonly [string, readonly ArchiveEntry[]])[] = [
    ['a file above', [{ name: '../evil', content: 'x' }]],
    ['a file above, on the way', [{ name: 'a/../../evil', content: 'x' }]],
    ['an absolute path', [{ name: '/tmp/acp-evil', content: 'x' }]],
    ['a path of Windows', [{ name: 'a\\..\\..\\evil', content: 'x' }]],
    ['a name without a text', [{ name: 'a//b', content: 'x' }]],
    ['a control character', [{ name: 'a\u0007b', content: 'x' }]],
    ['a link to an absolute path', [{ name: 'out', type: '2', target: '/etc/passwd' }]],
    ['a link out', [{ name: 'a/out', type: '2', target: '../../secret' }]],
    ['a link to what isn’t there', [{ name: 'out', type: '2', target: 'nowhere' }]],
    ['a link to its own folder', [{ name: 'a', type: '2', target: '.' }]],
    [
      'a file through a link',
      [
        { name: 'sub/', type: '5' },
        { name: 'a', type: '2', target: 'sub' },
        { name: 'a/evil', content: 'x' },
      ],
    ],
    [
      'a link that leads out by way of another',
      [
        { name: 'd/e/f', content: 'x' },
        { name: 'a', type: '2', target: 'd/e' },
        { name: 'out', type: '2', target: 'a/../../../secret' },
      ],
    ],
    ['another name of a file outside', [{ name: 'out', type: '1', target: '../secret' }]],
    ['another name of an absolute path', [{ name: 'out', type: '1', target: '/etc/passwd' }]],
    [
      'another name of a link',
      [
        { name: 'a', type: '2', target: 'poet' },
        { name: 'b', type: '1', target: 'a' },
      ],
    ],
    ['a device', [{ name: 'null', type: '3' }]],
    ['a disk', [{ name: 'disk', type: '4' }]],
    ['a pipe', [{ name: 'pipe', type: '6' }]],
    ['something unknown', [{ name: 'what', type: 'Z', content: 'x' }]],
    ['the same file twice', [{ name: 'poet', content: 'x' }]],
    ['two files that differ by case', [{ name: 'Poet', content: 'x' }]],
    [
      'two that differ by how an accent is written',
      [
        { name: 'po\u00e9sie', content: 'x' },
        { name: 'poe\u0301sie', content: 'x' },
      ],
    ],
    [
      'two folders that differ by case',
      [
        { name: 'lib/a', content: 'x' },
        { name: 'LIB/b', content: 'x' },
      ],
    ],
    ['a file that is a folder, too', [{ name: 'poet/x', content: 'x' }]],
    ['a very deep path', [{ name: 'a/'.repeat(45), content: '' }]],
  ];
  for (const [what, entries] of unsafe) {
    it(`SEC-52: is refused for ${what}, and writes nothing there`, async () => {
      const secret = path.join(folder, 'secret');
      await writeFile(secret, 'mine');
      const [problem] = await refusal('tarGzip', tarGzipOf(poet, ...entries));
      assert.equal(problem, 'unsafe');
      assert.equal(await readFile(secret, 'utf8'), 'mine');
      assert.ok(!(await readdir(folder)).includes('evil'));
      assert.ok(!(await readdir(os.tmpdir())).includes('acp-evil'));
    });
  }

  for (const [what, name, kind] of [
    ['a file above', '../evil', 0o100644],
    ['an absolute path', '/tmp/acp-evil', 0o100644],
    ['a drive', 'C:/evil', 0o100644],
    ['a device', 'null', 0o020666],
    ['a link out', 'out', 0o120777],
    ['a file that differs by case', 'POET', 0o100644],
  ] as const) {
    it(`SEC-52: that is a zip is refused for ${what}`, async () => {
      const [problem] = await refusal(
        'zip',
        zipOf([zipPoet, { name, content: '../secret', mode: kind }]),
      );
      assert.ok(['unsafe', 'broken'].includes(problem), problem);
      assert.ok(!(await readdir(folder)).includes('evil'));
    });
  }

  for (const name of ['aux.txt', 'a:stream', 'trailing.', 'lpt1', 'what?']) {
    it(`SEC-52: is refused on Windows for the name ${name}`, async () => {
      const entries = [poet, { name, content: 'x' }];
      const [problem] = await refusal('tarGzip', tarGzipOf(...entries), { platform: 'win32' });
      assert.equal(problem, 'unsafe');
    });
  }

  it('is refused on Windows for links, which need rights there', async () => {
    const entries = [poet, { name: 'a', type: '2', target: 'poet' }];
    const [problem] = await refusal('tarGzip', tarGzipOf(...entries), { platform: 'win32' });
    assert.equal(problem, 'unsafe');
  });

  it('SEC-109: may have as many bytes and entries as the limits say, and is refused for twice as many', async () => {
    const files = (count: number): ArchiveEntry[] =>
      Array.from({ length: count }, (_, at) => ({ name: `f${at}`, content: '' }));
    const large = (bytes: number): ArchiveEntry => ({ name: 'big', content: Buffer.alloc(bytes) });
    await rm(await take('tarGzip', tarGzipOf(poet, ...files(limits.entries - 1))), {
      recursive: true,
    });
    const free = limits.bytes - program.length;
    await rm(await take('zip', zipOf([zipPoet, large(free)])), { recursive: true });
    const bombs: readonly (readonly [ArchiveKind, Buffer])[] = [
      ['tarGzip', tarGzipOf(poet, ...files(2 * limits.entries))],
      ['tarGzip', tarGzipOf(poet, large(2 * limits.bytes))],
      ['zip', zipOf([zipPoet, large(2 * limits.bytes)])],
      ['tarGzip', gzipSync(Buffer.concat([tarOf(poet), Buffer.alloc(4_000_000)]))],
      ['tarBzip2', Buffer.from(bzip2.zeros, 'base64')],
    ];
    for (const [kind, bytes] of bombs) {
      assert.ok(bytes.length < limits.bytes);
      const [problem, message] = await refusal(kind, bytes);
      assert.equal(problem, 'tooLarge', message);
      await rm(path.join(folder, 'files'), { recursive: true });
      await rm(path.join(folder, 'archive.tar'), { force: true });
    }
  });

  it('SEC-53: that is damaged is refused: cut off, changed, with a wrong size or encrypted', async () => {
    const packed = tarGzipOf(poet);
    const zip = zipOf([zipPoet]);
    const encrypted = Buffer.from(zip);
    encrypted.writeUInt16LE(0x801, zip.indexOf('PK\x01\x02') + 8);
    const wrongSum = Buffer.from(zip);
    wrongSum.writeUInt32LE(7, zip.indexOf('PK\x01\x02') + 16);
    const tar = Buffer.from(bzip2.tar, 'base64');
    const damaged: readonly (readonly [ArchiveKind, Buffer])[] = [
      ['tarGzip', packed.subarray(0, packed.length - 20)],
      ['tarGzip', gzipSync(tarOf(poet).subarray(0, 520))],
      ['tarGzip', gzipSync(Buffer.from('no archive '.repeat(200)))],
      ['tarBzip2', tar.subarray(0, tar.length - 20)],
      ['tarBzip2', Buffer.concat([tar.subarray(0, 60), Buffer.from('?'), tar.subarray(61)])],
      ['zip', zip.subarray(0, zip.length - 10)],
      ['zip', zipOf([zipPoet], (size) => size - 5)],
      ['zip', encrypted],
      ['zip', wrongSum],
    ];
    for (const [at, [kind, bytes]] of damaged.entries()) {
      const [problem, message] = await refusal(kind, bytes);
      assert.equal(problem, 'broken', `${at}: ${message}`);
      await rm(path.join(folder, 'files'), { recursive: true, force: true });
      await rm(path.join(folder, 'archive.tar'), { force: true });
    }
  });

  it('SEC-53: whose name lies about its kind is refused', async () => {
    const lies: readonly (readonly [ArchiveKind, Buffer])[] = [
      ['zip', tarGzipOf(poet)],
      ['tarGzip', zipOf([zipPoet])],
      ['tarBzip2', tarGzipOf(poet)],
      ['program', zipOf([zipPoet])],
      ['program', Buffer.from('<!doctype html>')],
      ['program', Buffer.alloc(0)],
      ['tarGzip', gzipSync(tarGzipOf(poet))],
    ];
    for (const [kind, bytes] of lies) {
      assert.equal((await refusal(kind, bytes))[0], 'otherKind', kind);
      await rm(path.join(folder, 'files'), { recursive: true, force: true });
    }
  });

  it('SEC-53: without the program, or with it elsewhere, is refused', async () => {
    assert.equal((await refusal('zip', zipOf([zipPoet]), { cmd: ['writer'] }))[0], 'noProgram');
    await rm(path.join(folder, 'files'), { recursive: true });
    const entries = [{ name: 'poet/', type: '5' }];
    assert.equal((await refusal('tarGzip', tarGzipOf(...entries)))[0], 'noProgram');
  });

  it('with a program that someone puts elsewhere meanwhile isn’t taken', async () => {
    const outside = path.join(folder, 'outside');
    await mkdir(outside);
    await link(
      await take('program', Buffer.from(program)).then((files) => path.join(files, 'poet')),
      path.join(outside, 'poet'),
    );
    await rm(path.join(folder, 'files'), { recursive: true });
    const cmd = ['..', 'outside', 'poet'];
    assert.equal((await refusal('zip', zipOf([zipPoet]), { cmd }))[0], 'noProgram');
  });

  it('is known by the name in its address', () => {
    const kinds: Readonly<Record<string, ArchiveKind | undefined>> = {
      'https://example.com/a/poet.ZIP?x=.tar.gz': 'zip',
      'https://example.com/poet-1.0.tar.gz': 'tarGzip',
      'https://example.com/poet.tgz#a.zip': 'tarGzip',
      'https://example.com/poet.tar.bz2': 'tarBzip2',
      'https://example.com/poet.tbz2': 'tarBzip2',
      'https://example.com/poet-linux-x64': 'program',
      'https://example.com/poet.exe': 'program',
      'https://example.com/poet.dmg': undefined,
      'https://example.com/poet.tar.xz': undefined,
      'https://example.com/poet.AppImage': undefined,
    };
    for (const [address, kind] of Object.entries(kinds)) {
      assert.equal(kindOfAddress(address), kind, address);
    }
  });
});
