import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ProvidedRemoteAgents } from '../../../src/model/agents/providedRemoteAgents';
import { describeFailure } from '../../../src/model/failures/failures';
import type { AgentConfig } from '../../../src/model/ports';
import { connector } from '../../../src/platform/connector';
import { PackageStarts } from '../../../src/platform/packageStarts';
import type { AgentRequests } from '../../../src/protocol/agentRequests';
import { TraceRecorder } from '../../../src/protocol/trace/traceRecorder';
import { startProcess } from '../../../src/util/process/startProcess';
import { HeldSecrets } from '../../../src/util/secrets/heldSecrets';
import { fakeAgent, type Scenario } from '../../fakeAgent/scenario';
import { removeTemporary, temporaryFile } from '../../support/temporary';
import { header, MemoryFile } from '../protocol/trace/traceBench';

describe('an agent that repeats what settings and sign-ins hold', () => {
  after(removeTemporary);

  /** Secrets of the settings' variables, of an argument, and the stored key. */
  const values = ['correct horse battery', 'of-argument', 'stored-key-1'];
  const said = values
    .flatMap((value) => [value, Buffer.from(`a:${value}`).toString('base64')])
    .join(' | ');

  function assertNone(text: string): void {
    for (const value of [...values, ...said.split(' | ')]) {
      assert.ok(!text.includes(value), `${value} is in ${text}`);
    }
  }

  it('T-35, SEC-60: is recorded, logged and quoted without it', async () => {
    const scenario: Scenario = {
      start: [{ stderr: `${said}\n` }, { line: said }],
      on: {
        'session/new': [{ result: { sessionId: 'n1', title: said, cursor: said, [said]: 1 } }],
        'session/list': [{ error: { code: -32603, message: `No: ${'x'.repeat(460)} ${said}` } }],
      },
    };
    const logged: string[] = [];
    const write = (text: string): void => void logged.push(text);
    const log = { error: write, warn: write, info: write, debug: write, trace: write };
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header);
    const printed: string[] = [];
    const held = new HeldSecrets();
    const connect = connector(
      { extension: { packageJSON: { version: '1' } } } as vscode.ExtensionContext,
      {
        workspace: { folders: [] },
        openElsewhere: new Map(),
        held,
        log: { component: () => log },
        traffic: { of: () => ({ enabled: true, write: (_, text) => write(text), note: write }) },
        keys: { getEnvironment: () => Promise.resolve({ GEMINI_API_KEY: 'stored-key-1' }) },
        packageStarts: new PackageStarts(temporaryFile('storage')),
        programs: { start: startProcess },
        taps: new Map([['a', (...taken) => recorder.take(...taken)]]),
        remoteAgents: new ProvidedRemoteAgents(() => Promise.resolve()),
      },
    );
    const { command, args, env } = fakeAgent(scenario);
    const config: AgentConfig = {
      ...{ id: 'a', title: 'A', cwd: undefined, command },
      args: [...args, '--token', 'of-argument'],
      env: { ...env, PHRASE: 'correct horse battery' },
    };
    const requests = Object.create(null) as AgentRequests;
    const connection = await connect(config, requests, new AbortController().signal, {});
    connection.onPrint((line) => printed.push(line));
    try {
      await connection.newSession({ cwd: '/', additionalDirectories: [], mcpServers: [] });
      const error = await connection.listSessions({}).then(
        () => assert.fail('it has listed'),
        (reason: unknown) => reason,
      );
      assertNone(String(error));
      assertNone(JSON.stringify(describeFailure(error, 'A')));
    } finally {
      await connection.close();
      await recorder.stop();
    }
    assert.match(file.text, /"n1"/);
    assertNone(file.text);
    assert.match(logged.join('\n'), /stderr: ‹hidden›/);
    assertNone(logged.join('\n'));
    assertNone(printed.join('\n'));
  });
});
