import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { FileBytes } from '../../../src/model/files/fileBytes';
import type { Files } from '../../../src/model/ports';
import { AgentActs } from '../../../src/model/requests/agentActs';
import { FileRequests } from '../../../src/model/requests/fileRequests';
import { SessionTerminals } from '../../../src/model/requests/sessionTerminals';
import { RequestRouter } from '../../../src/model/session/requestRouter';
import type { Requester } from '../../../src/model/session/session';
import { realPath } from '../../../src/platform/files/realPath';
import { ChildTerminals } from '../../../src/platform/terminals/terminals';
import { reasons, refusal } from '../../../src/protocol/refusal';
import { refusedRequests } from '../../../src/protocol/refusedRequests';
import type { PermissionOption } from '../../../src/shared/requests/agentQuestions';
import { Emitter } from '../../../src/util/emitter';
import { posixOnly } from '../../support/posixOnly';
import { inProject } from '../../support/project';
import { makePipe, remove, temporaryFolder } from '../model/files/hostileFiles';
import { ask, connect, goodInitialize, Peer, type Raw, requestsWith } from './peer';

type Answer = PermissionOption['kind'] | 'never';

interface Asked {
  readonly method: string;
  readonly params: Raw;
  /** What the message repeats of the params. */
  readonly about?: string;
  /** What is done before. */
  readonly given?: ((window: Window) => void) | undefined;
}

/** An agent, connected to a session with real files and processes, whose user answers at once. */
interface Window {
  readonly peer: Peer;
  readonly cwd: string;
  readonly workspace: { trusted: boolean };
  answer: Answer;
  ruling: 'reject' | undefined;
  /** Thrown instead of reading and writing files. */
  trouble: Error | undefined;
  /** Called while the user decides. */
  meanwhile: () => void;
}

const bytes = new FileBytes();
const windows: { dispose(): void }[] = [];

async function open(
  cwd: string,
  answer: Answer = 'allow_once',
  peer: Peer = new Peer(),
): Promise<Window> {
  const workspace = {
    folders: [{ name: 'w', path: cwd }],
    trusted: true,
    onDidChange: new Emitter<void>().event,
  };
  const files: Files = {
    read: (file) => {
      if (window.trouble) {
        throw window.trouble;
      }
      return bytes.read(file, (all) => Promise.resolve(all.toString()));
    },
    write: async (file, content) => {
      if (window.trouble) {
        throw window.trouble;
      }
      await bytes.write(file, Buffer.from(content));
    },
  };
  const terminals = (): SessionTerminals =>
    new SessionTerminals(
      new ChildTerminals({ workspace, loginEnvironment: () => Promise.resolve(undefined) }),
      cwd,
    );
  const acts = (own: SessionTerminals): AgentActs =>
    new AgentActs({
      ...{ agentId: 'a', cwd, folders: [cwd], workspace, realPath, terminals: own },
      files: new FileRequests({ files, workspace, realPath }),
      rules: { decide: () => window.ruling, offer: () => Promise.resolve(undefined) },
      requests: {
        cancellations: 0,
        canceled: new AbortController().signal,
        noteRuled: () => undefined,
        ask: (_, signal) => {
          window.meanwhile();
          const { answer } = window;
          return answer === 'never'
            ? new Promise((resolve) =>
                signal.addEventListener('abort', () => resolve(undefined), { once: true }),
              )
            : Promise.resolve(answer);
        },
      },
      chosen: () => [cwd],
      agentTitle: () => 'Agent',
      inward: (file) => file,
      changed: () => undefined,
      turn: () => 1,
      isOpen: () => true,
    });
  const sessions = new Map(
    ['s1', 's2'].map((id) => {
      const own = terminals();
      windows.push(own);
      const heard = (): void => undefined;
      return [id, { acts: acts(own), terminals: own, heard } as unknown as Requester];
    }),
  );
  const requests = new RequestRouter({
    find: (id) => sessions.get(id),
    latest: () => undefined,
    all: () => [],
    deliver: () => undefined,
    noteAccount: () => undefined,
    askServer: ({ serverId }) => {
      throw serverId === 'broken'
        ? refusal('serverFailed', '/home/me/secret')
        : refusal(serverId === 'busy' ? 'serverBusy' : 'serverNotFound', 'secret');
    },
  });
  const window: Window = {
    ...{ peer, cwd, workspace, answer, ruling: undefined, trouble: undefined },
    meanwhile: () => undefined,
  };
  await connect(peer.client, { requests });
  return window;
}

describe('what an agent is told of a request that isn’t done', function () {
  this.timeout(30_000);
  let base: string;
  let cwd: string;
  before(() => {
    base = temporaryFolder('refusal');
    cwd = path.join(base, 'cwd');
    fs.mkdirSync(path.join(cwd, 'sub'), { recursive: true });
    fs.writeFileSync(path.join(cwd, 'a.txt'), 'one\ntwo\n');
    fs.writeFileSync(path.join(base, 'secret.txt'), 'secret');
    fs.closeSync(fs.openSync(path.join(cwd, 'huge'), 'w'));
    fs.truncateSync(path.join(cwd, 'huge'), 64 * 1024 * 1024);
    if (process.platform !== 'win32') {
      fs.symlinkSync(path.join(base, 'secret.txt'), path.join(cwd, 'link'));
      fs.symlinkSync(path.join(base, 'nowhere'), path.join(cwd, 'dangling'));
      makePipe(path.join(cwd, 'pipe'));
    }
  });
  afterEach(() => {
    for (const window of windows.splice(0)) {
      window.dispose();
    }
  });
  after(() => remove(base));

  const at = (name: string): string => `{cwd}/${name}`;
  const read = (file: string, more: Raw = {}): Asked => ({
    method: 'fs/read_text_file',
    params: { sessionId: 's1', path: file, ...more },
    about: file,
  });
  const write = (file: string, given?: Asked['given']): Asked => ({
    method: 'fs/write_text_file',
    params: { sessionId: 's1', path: file, content: 'new' },
    about: file,
    ...(given && { given }),
  });
  const run = (command: string, args: string[] = ['x'], more: Raw = {}): Asked => ({
    method: 'terminal/create',
    params: { sessionId: 's1', command, args, ...more },
    about: command,
  });
  const onTerminal = (method: string, terminalId: string): Asked => ({
    method: `terminal/${method}`,
    params: { sessionId: 's1', terminalId },
    about: terminalId,
  });
  const onServer = (serverId: string): Asked => ({
    method: 'mcp/message',
    params: { serverId, requestId: '1', method: 'tools/list' },
  });
  const failing =
    (trouble: Error): Asked['given'] =>
    (window) => {
      window.trouble = trouble;
    };
  const answering =
    (answer: Answer): Asked['given'] =>
    (window) => {
      window.answer = answer;
    };
  const system = (code: string): Error =>
    Object.assign(new Error(`${code}: /home/me/secret`), { code });

  const rows: Record<keyof typeof reasons, readonly Asked[]> = {
    resourceNotFound: [read(at('none.txt')), read(at('none/deep.txt'))],
    sessionNotFound: [
      { ...read(at('a.txt'), { sessionId: 'other' }), about: 'other' },
      { ...write(at('a.txt')), params: { sessionId: 'x', path: at('a'), content: '' }, about: 'x' },
      { ...run('ls', [], { sessionId: 'other' }), about: 'other' },
      { method: 'terminal/kill', params: { sessionId: 'y', terminalId: 't' }, about: 'y' },
    ],
    terminalNotFound: ['output', 'wait_for_exit', 'kill', 'release'].map((method) =>
      onTerminal(method, 'unknown'),
    ),
    commandNotFound: [run('no-such-command'), run('/no/such/command'), run('no-such-command', [])],
    folderNotFound: [{ ...run('ls', [], { cwd: at('none') }), about: at('none') }],
    invalidParams: [
      { ...read(at('a.txt'), { line: 1.5 }), about: 'line' },
      { ...read(at('a.txt'), { limit: -1 }), about: 'limit' },
      { ...read('relative.txt'), about: 'relative.txt' },
      { ...run(' '), about: 'command' },
      { ...run('ls', [], { cwd: 'sub' }), about: 'cwd' },
      { ...run('ls', [], { env: [{ name: 'LD_PRELOAD', value: '/x' }] }), about: 'LD_PRELOAD' },
      { ...onTerminal('output', 'x'), params: { sessionId: 's1' }, about: 'terminalId' },
      { method: 'elicitation/create', params: { sessionId: 's1', message: 'm', mode: 'x' } },
      { method: 'session/request_permission', params: { sessionId: 's1' } },
    ],
    invalidPath: [read('//host/share/a.txt'), { ...read(`/${'x'.repeat(40_000)}`), about: 'xxx…' }],
    outsideFolders: [
      read('/etc/passwd'),
      write('/etc/passwd'),
      read(at('link')),
      write(at('link')),
    ],
    pathBroken: [read(at('dangling')), write(at('dangling')), read(at('a.txt/b'))],
    isFolder: [read(at('sub')), write(at('sub')), read('{cwd}')],
    notAFile: [read(at('pipe'))],
    notText: [{ ...read(at('a.txt')), given: failing(refusal('notText', '/home/me/secret')) }],
    tooLarge: [read(at('huge')), write(at('huge'))],
    refusedByUser: [
      write(at('new'), answering('reject_once')),
      { ...run('ls'), given: answering('reject_once') },
      { ...run('ls -l | wc', []), given: answering('reject_once') },
    ],
    refusedByRule: [write(at('new')), run('ls')].map((asked) => ({
      ...asked,
      given: (window) => {
        window.ruling = 'reject';
      },
    })),
    unsavedChanges: [write(at('a.txt'), failing(refusal('unsavedChanges', '/home/me/secret')))],
    cancelled: [
      {
        ...write(at('new'), (window) => {
          window.answer = 'never';
          window.meanwhile = () =>
            window.peer.send({
              ...{ jsonrpc: '2.0', method: '$/cancel_request' },
              params: { requestId: 'q' },
            });
        }),
        about: 'fs/write_text_file',
      },
    ],
    changedMeanwhile: [
      write(at('moved.txt'), (window) => {
        window.meanwhile = () =>
          fs.symlinkSync(path.join(cwd, 'elsewhere.txt'), path.join(cwd, 'moved.txt'));
        fs.writeFileSync(path.join(cwd, 'elsewhere.txt'), 'x');
      }),
    ],
    permissionDenied: [
      write(at('a.txt'), failing(system('EACCES'))),
      write(at('a.txt'), failing(system('EROFS'))),
    ],
    notExecutable: [run(at('a.txt')), run(at('a.txt'), [])],
    commandTooLong: [run('ls', ['x'.repeat(1_500_000)])],
    tooMany: [],
    untrusted: [read(at('a.txt')), write(at('a.txt')), run('ls')].map(({ method, params }) => ({
      ...{ method, params },
      given: ({ workspace }) => {
        workspace.trusted = false;
      },
    })),
    saveFailed: [write(at('a.txt'), failing(refusal('saveFailed', '/home/me/secret')))],
    systemError: [write(at('a.txt'), failing(system('ENOSPC')))],
    serverNotFound: [onServer('none')],
    serverBusy: [onServer('busy')],
    serverFailed: [onServer('broken')],
    unsupported: [],
    internal: [
      { ...write(at('a.txt'), failing(new Error('/home/me/secret'))), about: 'fs/write_text_file' },
    ],
  };

  for (const [reason, all] of Object.entries(rows)) {
    const { rpcCode, says } = reasons[reason as keyof typeof reasons];
    for (const { method, params, about, given } of all) {
      const what = JSON.stringify(params).slice(0, 100);
      posixOnly(`ER-3, FS-5, T-35, T-54: ${reason}: ${method} ${what}`, async () => {
        const window = await open(cwd);
        given?.(window);
        const here = (text: string): string => text.replaceAll('{cwd}', cwd);
        const own = JSON.parse(here(JSON.stringify(params))) as Raw;
        const { error } = (await ask(window.peer, method, own)) as { error: Raw };
        assert.deepEqual([error['code'], error['data']], [rpcCode, { reason }]);
        const message = String(error['message']);
        assert.ok(message.startsWith(says.split('{')[0] ?? ''), message);
        assert.ok(message.includes(here(about ?? '')), message);
        assert.ok(!/secret|\{\w+\}/.test(message) && message.length < 700, message);
      });
    }
  }

  posixOnly(
    'PE-8: of more requests than may wait for the user, one too many is refused',
    async () => {
      const { peer } = await open(cwd, 'never');
      for (let id = 0; id <= 100; id++) {
        const params = { sessionId: 's1', path: path.join(cwd, `new-${id}`), content: '' };
        peer.send({ jsonrpc: '2.0', id, method: 'fs/write_text_file', params });
      }
      const { error } = await peer.message((message) => message['error'] !== undefined);
      const { rpcCode, says } = reasons.tooMany;
      assert.deepEqual(error, { code: rpcCode, message: says, data: { reason: 'tooMany' } });
    },
  );

  it('T-54: for Gemini, which takes no error for it, a file that isn’t there is empty', async () => {
    const { peer } = await open(
      cwd,
      'allow_once',
      new Peer(goodInitialize({ agentInfo: { name: 'gemini-cli', version: '0.61.0' } })),
    );
    const reading = (file: string, id: number): Promise<Raw> =>
      ask(peer, 'fs/read_text_file', { sessionId: 's1', path: file }, id);
    const missing = await reading(path.join(cwd, 'none.txt'), 1);
    assert.deepEqual(missing['result'], { content: '' });
    for (const [id, other] of [path.join(cwd, 'sub'), '/etc/passwd'].entries()) {
      assert.ok('error' in (await reading(other, id + 2)), other);
    }
  });

  posixOnly('TE-2, T-53: a command line without arguments isn’t refused, but run', async () => {
    const { peer } = await open(cwd);
    for (const [id, args] of [undefined, null, []].entries()) {
      const create = {
        ...{ sessionId: 's1', command: 'echo hi && ls none; exit 3', outputByteLimit: 32_000 },
        ...{ env: [{ name: 'CLAUDECODE', value: '1' }], args },
      };
      const { result } = (await ask(peer, 'terminal/create', create, `c${id}`)) as { result: Raw };
      const ref = { sessionId: 's1', terminalId: result['terminalId'] };
      const exit = await ask(peer, 'terminal/wait_for_exit', ref, `w${id}`);
      assert.deepEqual(exit['result'], { exitCode: 3, signal: null });
      const output = (await ask(peer, 'terminal/output', ref, `o${id}`))['result'] as Raw;
      assert.match(String(output['output']), /^hi\n.*none/s);
    }
  });

  posixOnly('TE-6: a terminal of another session, or a released one, isn’t there', async () => {
    const { peer } = await open(cwd);
    const create = { sessionId: 's1', command: 'true' };
    const { result } = (await ask(peer, 'terminal/create', create)) as { result: Raw };
    const id = result['terminalId'];
    const other = await ask(peer, 'terminal/output', { sessionId: 's2', terminalId: id }, 2);
    const own = { sessionId: 's1', terminalId: id };
    assert.ok('result' in (await ask(peer, 'terminal/release', own, 3)));
    for (const { error } of [other, await ask(peer, 'terminal/output', own, 4)]) {
      assert.equal(
        (error as Raw)['message'],
        `Terminal not found: ${String(id)} was released, or is none of this session`,
      );
    }
  });

  it('ER-3: what nobody does here is -32601 with the name of the method', async () => {
    const peer = new Peer();
    const requests = requestsWith(refusedRequests('Only a replay'));
    await connect(peer.client, { requests });
    const asked = await ask(peer, 'fs/read_text_file', { sessionId: 's', path: '/a' });
    assert.deepEqual(asked['error'], {
      ...{ code: -32601, message: 'fs/read_text_file is not supported here' },
      data: { reason: 'unsupported' },
    });
    const unknown = (await ask(peer, '_x/y', {}, 2))['error'] as Raw;
    assert.match(String(unknown['message']), /_x\/y/);
  });

  it('docs/agent-requests.md has the same table', () => {
    const page = fs.readFileSync(inProject('docs/agent-requests.md'), 'utf8');
    const lines = [...page.matchAll(/^\| `(\w+)` \| (-\d+) \| (.*?) \|/gm)];
    assert.deepEqual(
      lines.map(([, reason, code, says]) => [reason, Number(code), says]),
      Object.entries(reasons).map(([reason, { rpcCode, says }]) => [reason, rpcCode, says]),
    );
  });
});
