import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type AwakeProgram,
  findAwakeProgram,
} from '../../../../src/features/keepAwake/awakeProgram';
import { KeepAwake } from '../../../../src/features/keepAwake/keepAwake';
import type { Turn } from '../../../../src/shared/transcript/prompt';
import { Emitter } from '../../../../src/util/emitter';
import { posixOnly } from '../../../support/posixOnly';
import { isRunning } from '../../../support/processes';
import { until } from '../../../support/until';

const running: Turn = { kind: 'running', cancelling: false, canForce: false };

describe('keeping the computer awake', () => {
  it('starts the program of the platform, or none', async () => {
    const find = (name: string): Promise<string | undefined> => Promise.resolve(`/usr/bin/${name}`);
    const on = (platform: NodeJS.Platform, finds = find) =>
      findAwakeProgram({ platform, pid: 7, find: finds });
    assert.deepEqual(await on('linux'), {
      command: '/usr/bin/systemd-inhibit',
      args: [
        '--what=idle:sleep',
        '--who=ACP Sessions',
        '--why=An agent is working',
        '--mode=block',
        '/usr/bin/cat',
      ],
    });
    const mac = { command: '/usr/bin/caffeinate', args: ['-i', '-w', '7'] };
    assert.deepEqual(await on('darwin'), mac);
    assert.equal(await on('win32'), undefined);
    assert.equal(await on('linux', () => Promise.resolve(undefined)), undefined);
  });

  describe('with a program', () => {
    const changed = new Emitter<void>();
    const changedSetting = new Emitter<void>();
    let folder: string;
    let logged: string[];
    let turn: Turn;
    let waiting: readonly number[];
    let isOn: boolean;
    let found: AwakeProgram | undefined;
    let awake: KeepAwake;

    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'acp-awake-'));
      logged = [];
      [turn, waiting, isOn] = [running, [], true];
    });
    afterEach(async () => {
      awake.dispose();
      await until(() => pids().every((pid) => !isRunning(pid)));
      fs.rmSync(folder, { recursive: true, force: true });
    });

    /** The processes that were started, by their ids. */
    const pids = (): readonly number[] => {
      const file = path.join(folder, 'pids');
      return fs.existsSync(file)
        ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number)
        : [];
    };

    /** `then`: what the program does, as a shell reads it. */
    function make(then: string): void {
      found = { command: '/bin/sh', args: ['-c', `echo $$ >> '${folder}/pids'; ${then}`] };
      awake = new KeepAwake({
        sessions: {
          all: [
            {
              turns: {
                get current() {
                  return turn;
                },
              },
              requests: {
                get waiting() {
                  return waiting;
                },
              },
            },
          ],
          onDidChange: changed.event,
        },
        settings: {
          get isOn() {
            return isOn;
          },
          onDidChange: changedSetting.event,
        },
        findProgram: () => Promise.resolve(found),
        log: { info: () => undefined, warn: (line) => logged.push(line) },
      });
    }

    const isAwake = (count: number): boolean =>
      pids().length === count && isRunning(pids().at(-1) ?? 0);

    posixOnly('runs it during a turn, once, and not while the user is asked', async () => {
      make('exec cat');
      changed.fire();
      changed.fire();
      await until(() => isAwake(1));
      changed.fire();
      waiting = [3];
      changed.fire();
      await until(() => !isRunning(pids()[0] ?? 0));
      waiting = [];
      changed.fire();
      await until(() => isAwake(2));
      turn = { kind: 'idle' };
      changed.fire();
      await until(() => !isRunning(pids()[1] ?? 0));
      assert.deepEqual(logged, []);
    });

    posixOnly('runs nothing without the setting, and follows it', async () => {
      make('exec cat');
      isOn = false;
      changed.fire();
      isOn = true;
      changedSetting.fire();
      await until(() => isAwake(1));
      isOn = false;
      changedSetting.fire();
      await until(() => !isRunning(pids()[0] ?? 0));
      assert.equal(pids().length, 1);
    });

    posixOnly(
      'says once that it can’t, and tries again only after the setting has changed',
      async () => {
        make('echo Access denied >&2; exit 1');
        changed.fire();
        await until(() => logged.length === 1);
        assert.match(
          logged[0] ?? '',
          /can’t be kept awake: its program ended with 1: Access denied/,
        );
        changed.fire();
        found = undefined;
        changedSetting.fire();
        await until(() => logged.length === 2);
        changed.fire();
        assert.match(logged[1] ?? '', /there is no program for that/);
        assert.equal(pids().length, 1);
      },
    );

    posixOnly('lets it end with the window', async () => {
      make('exec cat');
      changed.fire();
      await until(() => isAwake(1));
      awake.dispose();
      await until(() => !isRunning(pids()[0] ?? 0));
    });
  });
});
