import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { getPromptDraft } from '../../src/features/branches/model/promptDraft';
import { writtenDraft } from '../../src/features/prompts/written';
import { isLocalAddress } from '../../src/features/registry/model/localAddress';
import { EventSplitter } from '../../src/features/remote/model/transport/eventSplitter';
import { isUpdate, Routes } from '../../src/features/remote/model/transport/routes';
import { ReplayAgent } from '../../src/features/traces/replayAgent/replayAgent';
import { movedDraft } from '../../src/features/worktrees/model/movedDraft';
import { pathOfFileUri } from '../../src/model/files/fileUri';
import { promptBlocks } from '../../src/model/session/promptBlocks';
import { EntryProblem } from '../../src/platform/settings/entryChecks';
import { readRemote } from '../../src/platform/settings/remoteSettings';
import { RemoteSecrets } from '../../src/platform/storage/remoteSecrets';
import { readLink } from '../../src/platform/ui/links';
import type { AgentCapabilities } from '../../src/protocol/agentConnection';
import { TheirPaths } from '../../src/protocol/transport/theirPaths';
import type { Block } from '../../src/shared/transcript/content';
import { isElsewhere } from '../../src/util/elsewhere';
import { isPlainName } from '../../src/util/plainName';
import { drawBlock } from '../../src/views/transcript/rows/drawTexts';
import { heldBytes, heldHeap } from '../support/heldBytes';
import { removeTemporary } from '../support/temporary';
import { until } from '../support/until';
import { closeFiles, fileWith, read, TraceText } from '../unit/protocol/trace/traceBench';
import { budgets } from './budgets';
import type { Check } from './check';
import { Stretches } from './stretches';
import { flood, turn } from './world';

const mebibyte = 1024 * 1024;
const chunkBytes = 16_384;

/** What is sent again and again in one event without an end, and how many bytes of it an event has. */
const lines: readonly (readonly [name: string, line: string, counted: number])[] = [
  ['empty lines of data', 'data:\n', 1],
  ['lines of a byte', 'data: x\r\n', 2],
  ['a line without an end', 'x', 1],
  ['lines of a byte between long comments', `data: x\n:${'c'.repeat(chunkBytes)}\n`, 2],
  ['comments', ': comment\n', 0],
];

const eventAttacks: readonly Check[] = lines.map(
  ([name, line, counted]): Check => ({
    name: `a stream of events: ${name}`,
    run: async ({ size }) => {
      const maxBytes = size(4, 0.25) * mebibyte;
      const maxSent = size(256, 3) * mebibyte;
      const ends: number[] = [];
      const splitter = new EventSplitter({
        maxBytes,
        isLine: isUpdate,
        onLines: () => undefined,
        onData: () => undefined,
        onOversize: () => ends.push(splitter.heldBytes),
      });
      const perChunk = Math.ceil(chunkBytes / line.length);
      const chunk = line.repeat(perChunk);
      /** Sends what has so many bytes of an event; of what has few, only as much as there is time for. */
      const send = async (bytes: number): Promise<number> => {
        const sent = Math.min(maxSent, (bytes / (counted || 1)) * line.length);
        await flood(Math.ceil(sent / chunk.length), () => splitter.push(Buffer.from(chunk)));
        return (sent / line.length) * counted;
      };
      const before = heldBytes();
      const half = await send(maxBytes / 2);
      await until(() => heldBytes() - before <= budgets.events * half + mebibyte);
      assert.deepEqual(ends, []);
      const twice = await send(maxBytes * 2);
      assert.equal(ends.length, half + twice > maxBytes ? 1 : 0);
      return `${Math.round(half)} and ${Math.round(twice)} bytes of an event, ${ends.length} ended`;
    },
  }),
);

/** Requests of a server, with ids of any kind: none is remembered by one that is large. */
const idAttack: Check = {
  name: 'requests of a server whose ids are lists, objects and long texts',
  run: async ({ random, size }) => {
    const routes = new Routes();
    const count = size(600, 40);
    const text = 'x'.repeat(size(1_000_000, 250_000));
    const before = heldHeap();
    for (let at = 0; at < count; at++) {
      const id = random.pick([[`${at}${text}`], { [`${at}${text}`]: at }, `${at}${text}`]);
      routes.received(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'x' })), 's');
      await turn();
    }
    await until(() => heldHeap() - before <= budgets.requestIds);
    return `${count} requests`;
  },
};

const hostParts = ['a', 'b', 'header', 'token', 'example', 'header.token', '8'];

/** No secret is found under another address or another name. */
const storedSecretAttack: Check = {
  name: 'addresses and headers that are called like each other’s secrets',
  run: async ({ random, size }) => {
    const stored = new Map<string, string>();
    const secrets = new RemoteSecrets({
      get: (key) => Promise.resolve(stored.get(key)),
      store: (key, value) => Promise.resolve(void stored.set(key, value)),
      delete: (key) => Promise.resolve(void stored.delete(key)),
      keys: () => Promise.resolve([...stored.keys()]),
    });
    const count = size(50_000, 2000);
    const dotted = (): string =>
      Array.from({ length: 1 + random.below(4) }, () => random.pick(hostParts)).join('.');
    const owners = new Set<string>();
    for (let made = 0; made < count; made++) {
      const url = `wss://${dotted()}.x${random.pick(['', ':444'])}/`;
      const name = random.chance(0.5) ? dotted() : undefined;
      const owner = JSON.stringify([url, name]);
      owners.add(owner);
      await secrets.store({ url }, owner, name);
      assert.equal(stored.size, owners.size);
      assert.equal(await secrets.get({ url }, name), owner);
    }
    return `${owners.size} secrets`;
  },
};

/** The places in the settings of an agent where a token may stand; its own name may say nothing of it. */
const tokenPlaces: readonly ((token: string) => Readonly<Record<string, unknown>>)[] = [
  (token) => ({ headers: { 'X-Custom': token } }),
  (token) => ({ headers: { 'X-Custom': `Bearer ${token}` } }),
  (token) => ({ headers: { Authorization: `Bearer ${token}\${secret:a}` } }),
  (token) => ({ headers: { Cookie: `a=\${secret:a}; b=${token}` } }),
  (token) => ({ headers: { 'X-Custom': `a:${token}, b` } }),
  (token) => ({ url: `wss://h/acp?a=${token}` }),
  (token) => ({ url: `wss://h/acp?${token}` }),
  (token) => ({ url: `wss://h/acp?a=b&c=${encodeURIComponent(`d ${token}`)}` }),
];

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

const writtenSecretAttack: Check = {
  name: 'tokens in the settings of agents on other machines',
  run: ({ random, size }) => {
    const count = size(20_000, 500);
    for (let made = 0; made < count; made++) {
      const letters = Array.from({ length: 6 + random.below(40) }, () =>
        alphabet.charAt(random.below(alphabet.length)),
      );
      letters.splice(random.below(letters.length), 0, `${random.below(10)}`);
      const entry = { url: 'wss://h/', ...random.pick(tokenPlaces)(letters.join('')) };
      assert.throws(() => readRemote(entry, []), EntryProblem, JSON.stringify(entry));
    }
    return Promise.resolve(`${count} tokens`);
  },
};

const pathParts = [
  ...['/', '/', '/', '\\', '..', '.', ' ', ':', 'a', 'C:', '//', '\\\\', '?', '*', '\0', '\n'],
  ...['/srv', '/srv/', '/srv/app/', 'C:\\code\\', 'CON', 'nul.txt', '%2e%2e', '%5C', '%2F', '%zz'],
  ...['file:', 'file:///', '[h]', '/[h]/', 'localhost'],
];

const addressParts = [
  ...['%', '%zz', '%E0%A4%A', '%00', '%2F', '%5C', '%2e%2e', '%F0%9F', '%c3', '\ud83d', '\udc00'],
  ...['/', '\\', 'a', ':', '@', '[', ']', '#', '?', 'host', ' ', '\t', '\0', '\u202e', 'ü'],
];

/** Each path must be marked, whoever normalizes it, or be a path of plain names within the folder of a mapping. */
const pathAttack: Check = {
  name: 'paths of another machine that lead out of their mapping',
  run: ({ random, size }) => {
    let elsewhere = 0;
    let relative = 0;
    const count = size(300_000, 10_000);
    const kinds = [
      { style: path.posix, folder: '/here' },
      { style: path.win32, folder: 'D:\\here' },
    ].map(({ style, folder }) => {
      const mappings = ['/srv', 'C:\\code'].map((theirs) => ({ theirs, ours: folder }));
      return { style, folder, paths: new TheirPaths('h', mappings, style) };
    });
    for (let made = 0; made < count; made++) {
      const theirs = Array.from({ length: 1 + random.below(8) }, () => random.pick(pathParts));
      const { style, folder, paths } = random.pick(kinds);
      const written = theirs.join('');
      const ours = paths.inward(written);
      if (isElsewhere(ours)) {
        elsewhere++;
        const normal = [path.posix.normalize(ours), path.win32.normalize(ours)];
        assert.ok(normal.every(isElsewhere), JSON.stringify([written, ours]));
      } else if (ours === written) {
        relative++;
        const isAbsolute = path.posix.isAbsolute(ours) || path.win32.isAbsolute(ours);
        assert.ok(!isAbsolute, JSON.stringify(written));
      } else {
        const names = style.relative(folder, ours).split(style.sep);
        const arePlain = names.every((name) => style === path.posix || !name || isPlainName(name));
        assert.ok(arePlain && !names.includes('..'), JSON.stringify([written, ours]));
      }
    }
    return Promise.resolve(`${count} paths, ${elsewhere} elsewhere, ${relative} relative`);
  },
};

/** Checks that each address is shown, written and sent again as it is read or as a name; nothing throws. */
const addressAttack: Check = {
  name: 'addresses that can’t be decoded',
  run: async ({ random, size }) => {
    const count = size(20_000, 500);
    let read = 0;
    const capabilities = { promptImage: true, promptEmbeddedContext: true } as AgentCapabilities;
    const far = new TheirPaths('h', []);
    for (let made = 0; made < count; made++) {
      if (made % 500 === 0) {
        await turn();
      }
      const parts = Array.from({ length: 1 + random.below(6) }, () => random.pick(addressParts));
      const uri = `${random.pick(['file:///', 'file://', 'file:', ''])}${parts.join('')}`;
      const blocks: readonly Block[] = [
        { type: 'resource_link', uri, name: 'name' },
        { type: 'resource', uri, text: 'text' },
        { type: 'resource', uri: `${uri}#L1-L2`, text: 'text' },
      ];
      const { draft } = getPromptDraft([{ kind: 'user', blocks }], 0);
      const moved = await movedDraft(draft, '/from', '/to');
      await promptBlocks(
        moved,
        capabilities,
        () => Promise.resolve('text'),
        () => Promise.resolve([]),
      );
      writtenDraft(moved, '/project');
      readLink(uri, '/project');
      for (const block of blocks) {
        drawBlock(block, '/project');
      }
      read += pathOfFileUri(uri) === undefined ? 0 : 1;
      far.outwardUri(far.inwardUri(uri));
    }
    return `${count} addresses, ${read} of them can be read`;
  },
};

const privateHeads = [[10], [127], [192, 168], [172, 20], [169, 254], [100, 64], [0], [240]];

/** Each way to write a private address of version 4 as one of version 6. */
const lookalikeAttack: Check = {
  name: 'private addresses in the notations of version 6',
  run: ({ random, size }) => {
    const count = size(100_000, 5000);
    for (let made = 0; made < count; made++) {
      const bytes = [...random.pick(privateHeads), ...[0, 0, 0].map(() => random.below(256))];
      const hex = (from: number, mask = 0): string =>
        (((bytes[from] ?? 0) * 256 + (bytes[from + 1] ?? 0)) ^ mask).toString(16);
      const [high, low] = [hex(0), hex(2)];
      const any = Array.from({ length: 4 }, () => random.below(65_536).toString(16)).join(':');
      const address = random.pick([
        ...[`::ffff:${high}:${low}`, `::ffff:${bytes.slice(0, 4).join('.')}`, `::${high}:${low}`],
        ...[`64:ff9b::${high}:${low}`, `64:ff9b:1:${any}:${low}`, `2002:${high}:${low}:${any}:1`],
        ...[`2001:0:${high}:${low}:${any}`, `2001:0:${any}:${hex(0, 0xffff)}:${hex(2, 0xffff)}`],
        ...[`2a00:1:2:3:0:5efe:${high}:${low}`, `::ffff:0:${high}:${low}`],
      ]);
      assert.ok(isLocalAddress(address), address);
    }
    return Promise.resolve(`${count} addresses`);
  },
};

/** What is in a trace again and again, after a session with as many modes. */
const traceLines: readonly (readonly [
  name: string,
  line: (text: TraceText, at: number) => void,
])[] = [
  [
    'loads that fail',
    (text) => {
      const load = text.asks('session/load', { sessionId: 's0' });
      text.says('s0', 'x').answers(load, { error: { code: 1, message: 'no' } });
    },
  ],
  [
    'loads without an answer',
    (text) => {
      text.asks('session/load', { sessionId: 's0' });
      text.says('s0', 'x');
    },
  ],
  [
    'resumes that bring nothing',
    (text) => {
      text.request('session/resume', { sessionId: 's0' }, {});
    },
  ],
  [
    'connections and sessions',
    (text, at) => {
      text.says(`s${at}`, 'x').request('initialize', {}, { protocolVersion: 1 });
    },
  ],
  [
    'changes of the mode',
    (text) => {
      const update = { sessionUpdate: 'current_mode_update', currentModeId: 'm' };
      text.update('s0', update);
    },
  ],
];

const traceAttacks: readonly Check[] = traceLines.map(
  ([name, add]): Check => ({
    name: `a trace of ${name}`,
    seconds: 30,
    run: async ({ size }) => {
      const count = size(100_000, 1000);
      const modes = Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 0]));
      const text = new TraceText();
      text.request('session/load', { sessionId: 's0' }, { modes });
      for (let at = 0; at < count; at++) {
        add(text, at);
      }
      const file = await fileWith(text.text);
      try {
        const stretches = new Stretches();
        const trace = await read(file);
        const [input, output] = [new PassThrough(), new PassThrough()];
        let received = '';
        output.on('data', (bytes: Buffer) => {
          received = bytes.toString('latin1');
        });
        const served = new ReplayAgent({ trace, file }, '/', output).serve(input);
        const params = { sessionId: 's0' };
        const load = { jsonrpc: '2.0', id: 'end', method: 'session/load', params };
        input.write(`${JSON.stringify(load)}\n`);
        await until(() => received.includes('"id":"end"'));
        input.end();
        await served;
        const stretch = stretches.end();
        return `${count} times, ${trace.lines.size} sessions, ${stretch} ms at a stretch`;
      } finally {
        await closeFiles();
        removeTemporary();
      }
    },
  }),
);

/** Attacks by the server of an agent on another machine, by a registry, by a trace, and by addresses of any agent. */
export const streamAttacks: readonly Check[] = [
  ...eventAttacks,
  idAttack,
  storedSecretAttack,
  writtenSecretAttack,
  pathAttack,
  addressAttack,
  lookalikeAttack,
  ...traceAttacks,
];
