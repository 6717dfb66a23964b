import assert from 'node:assert/strict';
import {
  inwardRequests,
  RemoteConnection,
} from '../../../../../src/features/remote/model/remoteConnection';
import type { AgentConnection } from '../../../../../src/protocol/agentConnection';
import { TheirPaths } from '../../../../../src/protocol/transport/theirPaths';
import type { SessionUpdate } from '../../../../../src/protocol/updates';
import type { Block } from '../../../../../src/shared/transcript/content';
import { ableInitialize } from '../../../../fakeAgent/scenario';
import {
  ask,
  codeOf,
  connect,
  goodInitialize,
  isMethod,
  Peer,
  type Raw,
  rejectsWith,
  requestsWith,
} from '../../../protocol/peer';

const paths = new TheirPaths('h', [{ theirs: '/srv/app', ours: '/code/app' }]);

async function remote(peer: Peer, requests = requestsWith({})) {
  const { connection } = await connect(peer.client, {
    requests: inwardRequests(requests, paths),
    machine: false,
  });
  return new RemoteConnection(connection, paths);
}

function able(more: Raw = {}): Peer {
  const { agentCapabilities } = ableInitialize as { agentCapabilities: Raw };
  const promptCapabilities = { embeddedContext: true };
  return new Peer(
    goodInitialize({ agentCapabilities: { ...agentCapabilities, promptCapabilities, ...more } }),
  );
}

const place = { additionalDirectories: [], mcpServers: [] };
const server = {
  type: 'stdio',
  name: 'm',
  command: '/bin/m',
  args: [],
  env: { K: 'secret' },
} as const;

describe('an agent on another machine', () => {
  it('INIT-12, SEC-147: is offered no files and no terminals, and gets none', async () => {
    const peer = able();
    await remote(peer);
    const { params } = await peer.message(isMethod('initialize'));
    const { clientCapabilities } = params as { clientCapabilities: Raw };
    assert.equal(clientCapabilities['fs'], undefined);
    assert.equal(clientCapabilities['terminal'], undefined);
    for (const [method, more] of [
      ['fs/read_text_file', { path: '/etc/passwd' }],
      ['fs/write_text_file', { path: '/tmp/x', content: '' }],
      ['terminal/create', { command: 'id' }],
    ] as const) {
      assert.equal(codeOf(await ask(peer, method, { sessionId: 's', ...more }, method)), -32601);
    }
  });

  it('SEC-147: has its folders translated in lists and in requests, and gets no MCP servers but ours by its connection', async () => {
    const peer = able({ mcpCapabilities: { acp: true, http: true } })
      .answer('session/list', () => ({
        sessions: [
          { sessionId: 'a', cwd: '/srv/app' },
          { sessionId: 'b', cwd: '/root/other' },
        ],
      }))
      .answer('session/load', () => ({}))
      .answer('session/new', () => ({ sessionId: 'n' }));
    const connection = await remote(peer);
    const { sessions } = await connection.listSessions({ cwd: '/code/app' });
    assert.deepEqual(
      sessions.map(({ cwd }) => cwd),
      ['/code/app', '/[h]/root/other'],
    );
    assert.deepEqual((await peer.message(isMethod('session/list')))['params'], { cwd: '/srv/app' });
    assert.deepEqual((await connection.listSessions({ cwd: '/home/me' })).sessions, []);
    await connection.loadSession({ sessionId: 'b', cwd: '/[h]/root/other', ...place });
    const load = (await peer.message(isMethod('session/load')))['params'] as Raw;
    assert.equal(load['cwd'], '/root/other');
    const systemPrompt = { mode: 'append', text: 'In French.' } as const;
    const own = { type: 'acp', name: 'editor', serverId: 'id' } as const;
    const asked = { ...place, cwd: '/code/app/sub', mcpServers: [server, own], systemPrompt };
    const opened = await connection.newSession(asked);
    assert.equal(opened.systemPrompt?.text, 'In French.');
    const made = (await peer.message(isMethod('session/new')))['params'] as Raw;
    assert.deepEqual([made['cwd'], made['mcpServers']], ['/srv/app/sub', [own]]);
    await rejectsWith(connection.newSession({ ...place, cwd: '/home/me' }), 'invalidParams');
  });

  it('SEC-148: has the paths of its tool calls translated, and those of its requests', async () => {
    let asked: unknown;
    const peer = able();
    const connection = await remote(
      peer,
      requestsWith({
        requestPermission: ({ toolCall: { locations } }) => {
          asked = locations;
          return Promise.resolve(undefined);
        },
      }),
    );
    const updates: SessionUpdate[] = [];
    connection.onUpdate(({ update }) => updates.push(update));
    const toolCall = {
      toolCallId: 'c',
      title: 'Edit',
      locations: [{ path: '/srv/app/a.ts' }, { path: '/etc/hosts' }],
      content: [{ type: 'diff', path: '/etc/hosts', oldText: null, newText: 'x' }],
    };
    peer.update('s', { sessionUpdate: 'tool_call', ...toolCall });
    const options = [{ optionId: 'o', name: 'O', kind: 'allow_once' }];
    await ask(peer, 'session/request_permission', { sessionId: 's', toolCall, options });
    const [update] = updates;
    assert.ok(update?.sessionUpdate === 'tool_call');
    assert.deepEqual(update.locations, [{ path: '/code/app/a.ts' }, { path: '/[h]/etc/hosts' }]);
    assert.deepEqual(asked, update.locations);
    const [diff] = update.content ?? [];
    assert.equal(diff?.type === 'diff' && diff.path, '/[h]/etc/hosts');
  });

  it('has the paths translated that only version 2 has, and texts left as they are', async () => {
    let tell: ((event: { sessionId: string; update: SessionUpdate }) => void) | undefined;
    const { connection } = await connect(able().client);
    const inner = Object.create(connection, {
      onUpdate: { value: (listener: typeof tell) => (tell = listener) },
    }) as AgentConnection;
    const updates: SessionUpdate[] = [];
    new RemoteConnection(inner, paths).onUpdate(({ update }) => updates.push(update));
    const link = (uri: string): Block => ({ type: 'resource_link', uri, name: 'n' });
    const text: Block = { type: 'text', text: 'See /srv/app/a.ts' };
    const [theirs, ours] = ['file:///srv/app/a.ts', 'file:///code/app/a.ts'];
    const plan = { sessionUpdate: 'plan', planId: 'p', entries: [] } as const;
    const compaction = { compactionId: 'c', status: 'completed' };
    const cases: readonly (readonly [SessionUpdate, SessionUpdate])[] = [
      [
        { ...plan, blocks: [link(theirs), text], path: '/srv/app/plan.md' },
        { ...plan, blocks: [link(ours), text], path: '/code/app/plan.md' },
      ],
      [
        {
          sessionUpdate: 'terminal_update',
          terminalId: 't',
          command: 'ls /srv/app',
          cwd: '/srv/app/b',
        },
        {
          sessionUpdate: 'terminal_update',
          terminalId: 't',
          command: 'ls /srv/app',
          cwd: '/code/app/b',
        },
      ],
      [
        { sessionUpdate: 'compaction_update', ...compaction, summary: [text, link(theirs)] },
        { sessionUpdate: 'compaction_update', ...compaction, summary: [text, link(ours)] },
      ],
      [
        { sessionUpdate: 'user_message', messageId: 'm', content: [link(theirs), text] },
        { sessionUpdate: 'user_message', messageId: 'm', content: [link(ours), text] },
      ],
      [
        {
          sessionUpdate: 'tool_call_content_chunk',
          toolCallId: 'c',
          content: [{ type: 'content', block: link(theirs) }],
        },
        {
          sessionUpdate: 'tool_call_content_chunk',
          toolCallId: 'c',
          content: [{ type: 'content', block: link(ours) }],
        },
      ],
      ...[
        { ...plan },
        { sessionUpdate: 'plan_removed', planId: 'p' } as const,
        { sessionUpdate: 'terminal_update', terminalId: 't', cwd: null } as const,
        { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: 'L3Nydg==' } as const,
        { sessionUpdate: 'compaction_update', ...compaction, summary: null } as const,
        { sessionUpdate: 'state_update', state: 'idle' } as const,
      ].map((same) => [same, same] as const),
    ];
    for (const [update] of cases) {
      tell?.({ sessionId: 's', update });
    }
    assert.deepEqual(
      updates,
      cases.map(([, inward]) => inward),
    );
  });

  it('SEC-149: gets a mention as its own file, as content, or as a name: never a path of this machine', async () => {
    const peer = able().answer('session/prompt', () => ({ stopReason: 'end_turn' }));
    const connection = await remote(peer);
    await connection.prompt('s', [
      { type: 'resource_link', uri: 'file:///code/app/a.ts', name: 'a.ts' },
      { type: 'resource', uri: 'file:///home/me/notes%20x.md', text: 'Notes' },
      { type: 'resource_link', uri: 'file:///home/me/big.bin', name: 'big.bin' },
    ]);
    const { params } = await peer.message(isMethod('session/prompt'));
    const text = JSON.stringify(params);
    assert.match(text, /"file:\/\/\/srv\/app\/a\.ts"/);
    assert.match(text, /"attachment:notes%20x\.md"/);
    assert.match(text, /\{"type":"text","text":"big\.bin"\}/);
    assert.doesNotMatch(text, /home\/me/);
  });

  it('SEC-34: gets the name of a file whose address can’t be decoded, and nothing of its folders', async () => {
    const peer = able().answer('session/prompt', () => ({ stopReason: 'end_turn' }));
    const connection = await remote(peer);
    await connection.prompt('s', [
      { type: 'resource_link', uri: 'file:///home/me/%E0%A4%A', name: 'a' },
      { type: 'resource', uri: 'file:///home/me/%zz#L1', text: 'Notes' },
      { type: 'resource', uri: 'file:///home/me%2Fhome%2Fme%5Chalf\ud83d', text: 'Notes' },
    ]);
    const { params } = await peer.message(isMethod('session/prompt'));
    const text = JSON.stringify(params);
    assert.match(text, /\{"type":"text","text":"%E0%A4%A"\}/);
    assert.match(text, /"attachment:%25zz"/);
    assert.match(text, /"attachment:half%EF%BF%BD"/);
    assert.doesNotMatch(text, /me[%\\/]/);
  });
});
