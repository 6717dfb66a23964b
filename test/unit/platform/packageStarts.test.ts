import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type * as vscode from 'vscode';
import { ProvidedRemoteAgents } from '../../../src/model/agents/providedRemoteAgents';
import type { AgentConfig } from '../../../src/model/ports';
import { connector } from '../../../src/platform/connector';
import { PackageStarts } from '../../../src/platform/packageStarts';
import type { AgentRequests } from '../../../src/protocol/agentRequests';
import type { Transport } from '../../../src/protocol/agentTransport';
import { AcpError } from '../../../src/protocol/errors';
import { startProcess } from '../../../src/util/process/startProcess';
import { HeldSecrets } from '../../../src/util/secrets/heldSecrets';
import { fakeAgent } from '../../fakeAgent/scenario';
import { inMemoryTransports } from '../../support/inMemoryTransport';
import { posixOnly } from '../../support/posixOnly';
import { removeTemporary, temporaryFile } from '../../support/temporary';
import { until } from '../../support/until';

const run = { key: 'npx gull@1.0.0', hasChild: true };
const never = new AbortController().signal;
const times = { lookMs: 2, maxStartMs: 60_000 };

describe('starts of packages', function () {
  this.timeout(20_000);
  let storage: string;
  beforeEach(() => {
    storage = temporaryFile('storage');
  });
  afterEach(removeTemporary);

  describe('in the folder of a project', () => {
    /** Connects to an agent that the command runs in a project with these files; it tells where it runs. */
    async function started(
      command: Pick<AgentConfig, 'command' | 'args'>,
      files: Readonly<Record<string, string>>,
      cwd?: string,
    ): Promise<string> {
      const project = temporaryFile('project');
      mkdirSync(project);
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(path.join(project, name), text);
      }
      const log = () => undefined;
      const connect = connector(
        { extension: { packageJSON: { version: '1' } } } as vscode.ExtensionContext,
        {
          workspace: { folders: [{ name: 'project', path: project }] },
          openElsewhere: new Map(),
          held: new HeldSecrets(),
          log: { component: () => ({ error: log, warn: log, info: log, debug: log, trace: log }) },
          traffic: { of: () => ({ enabled: false, write: log, note: log }) },
          keys: { getEnvironment: () => Promise.resolve({}) },
          packageStarts: new PackageStarts(storage),
          programs: { start: startProcess },
          taps: new Map(),
          remoteAgents: new ProvidedRemoteAgents(() => Promise.resolve()),
        },
      );
      const where = temporaryFile('where');
      const config = { id: 'a', title: 'A', env: { WHERE: where }, cwd, ...command };
      const connection = await connect(config, {} as AgentRequests, never, {});
      await connection.close();
      return readFileSync(where, 'utf8').trim();
    }

    /** A line for a shell that notes the folder, then runs the fake agent. */
    function agentLine(): string {
      const { command, args } = fakeAgent({});
      const words = [command, ...args].map((word) => `'${word}'`).join(' ');
      return `pwd -P > "$WHERE"; exec ${words}`;
    }

    posixOnly('T-70, SEC-42: npx isn’t refused by the project’s package.json', async () => {
      const devEngines = { packageManager: { name: 'pnpm', onFail: 'error' } };
      const files = {
        'package.json': JSON.stringify({ devEngines, engines: { node: '>=99' } }),
        '.npmrc': 'engine-strict=true\nregistry=http://127.0.0.1:9/\n',
      };
      const where = await started({ command: 'npx', args: ['--call', agentLine()] }, files);
      assert.equal(path.basename(where), 'launch');
      assert.equal(path.dirname(where), path.resolve(storage));
    });

    posixOnly('T-70: a program of its own starts in the project, as before', async () => {
      const where = await started({ command: 'sh', args: ['-c', agentLine()] }, {});
      assert.equal(path.basename(where), 'project');
    });
  });

  it('T-70, SEC-42: what an agent leaves in their folder doesn’t decide about the next start', async () => {
    const starts = new PackageStarts(storage);
    const config = { command: 'npx', args: ['gull'], cwd: undefined };
    const { cwd = '' } = await starts.getPlace(config, '/w');
    assert.equal(cwd, starts.folder);
    for (const name of readdirSync(cwd)) {
      writeFileSync(path.join(cwd, name), 'registry=http://127.0.0.1:9/');
    }
    writeFileSync(path.join(cwd, 'notes.txt'), 'an agent’s own');
    await starts.getPlace(config, '/w');
    assert.deepEqual(readdirSync(cwd).sort(), [
      ...['.npmrc', 'bunfig.toml', 'notes.txt', 'package.json', 'pnpm-workspace.yaml', 'uv.toml'],
    ]);
    assert.equal(readFileSync(path.join(cwd, '.npmrc'), 'utf8'), '');
    assert.deepEqual(JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8')), {
      private: true,
    });
  });

  it('T-70: makes no folder for an agent that starts elsewhere', async () => {
    const starts = new PackageStarts(storage);
    const place = await starts.getPlace({ command: 'gull', args: [], cwd: undefined }, '/w');
    assert.equal(place.cwd, '/w');
    assert.ok(!existsSync(starts.folder));
  });

  describe('of the same package', () => {
    /** The start in one window. */
    class Start {
      readonly waits: boolean[] = [];
      readonly agent: Transport;
      isFetching = true;
      hasBegun = false;
      readonly done: Promise<Transport>;

      constructor({ signal = never, key = run.key, maxStartMs = times.maxStartMs } = {}) {
        const [transport, agent] = inMemoryTransports();
        this.agent = agent;
        const turn = { signal, onWaiting: (waits: boolean) => this.waits.push(waits) };
        const starts = new PackageStarts(storage, { ...times, maxStartMs });
        this.done = starts.inTurn({ ...run, key }, turn, () => {
          this.hasBegun = true;
          return Object.assign(transport, { isFetching: () => Promise.resolve(this.isFetching) });
        });
        begun.push(this);
      }
    }

    const begun: Start[] = [];
    afterEach(async () => {
      for (const { done } of begun.splice(0)) {
        await done.then(
          (transport) => transport.close(),
          () => undefined,
        );
      }
      assert.deepEqual(readdirSync(path.join(storage, 'launchLocks')), []);
    });

    /** Begins a start that fetches, and one that waits for it. */
    async function two(options: ConstructorParameters<typeof Start>[0] = {}) {
      const first = new Start();
      await first.done;
      const second = new Start(options);
      await until(() => second.waits.length > 0);
      assert.deepEqual([first.waits, second.waits, second.hasBegun], [[], [true], false]);
      return { first, second };
    }

    it('T-70: wait for each other until it is fetched, and say so', async () => {
      const { first, second } = await two();
      first.isFetching = false;
      await second.done;
      assert.deepEqual(second.waits, [true, false]);
    });

    it('T-70: wait until the first agent has answered, where its fetching isn’t seen', async () => {
      const { first, second } = await two();
      await first.agent.write('{}\n');
      await second.done;
    });

    it('T-70: wait until the first start has failed or was stopped', async () => {
      const { first, second } = await two();
      await (await first.done).close();
      await second.done;
    });

    it('T-70: can be canceled while they wait', async () => {
      const abort = new AbortController();
      const { second } = await two({ signal: abort.signal });
      abort.abort();
      await assert.rejects(second.done);
      assert.equal(second.hasBegun, false);
    });

    it('T-70: don’t wait for ever', async () => {
      const { second } = await two({ maxStartMs: 30 });
      await second.done;
    });

    it('T-70: don’t wait for a start that takes too long', async () => {
      const first = new Start({ maxStartMs: 30 });
      await first.done;
      const second = new Start();
      await second.done;
      assert.ok(first.isFetching);
    });

    it('T-70: don’t wait for other packages', async () => {
      await new Start().done;
      const other = new Start({ key: 'npx tern' });
      await other.done;
      assert.deepEqual(other.waits, []);
    });

    it('T-70: don’t wait for a window that was killed', async () => {
      const { first, second } = await two();
      const [lock = ''] = readdirSync(path.join(storage, 'launchLocks'));
      const folder = path.join(storage, 'launchLocks', lock);
      const [claim = ''] = readdirSync(folder);
      const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
      await new Promise((resolve) => dead.once('exit', resolve));
      renameSync(path.join(folder, claim), path.join(folder, claim.replace(/^\d+/, `${dead.pid}`)));
      await second.done;
      assert.ok(first.isFetching);
    });

    it('T-70: a start that throws doesn’t keep others waiting', async () => {
      const starts = new PackageStarts(storage, times);
      const fails = starts.inTurn(run, { signal: never }, () => {
        throw new AcpError('notFound', 'x');
      });
      await assert.rejects(fails, AcpError);
      await new Start().done;
    });
  });
});
