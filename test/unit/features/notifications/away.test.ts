import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Away, type AwayServices } from '../../../../src/features/notifications/away';
import { SystemNotices } from '../../../../src/features/notifications/notices/systemNotices';
import {
  type NotificationServices,
  Notifications,
} from '../../../../src/features/notifications/notifications';
import type { Session } from '../../../../src/model/session/session';
import { Emitter } from '../../../../src/util/emitter';
import type { Happening } from '../../../../src/views/attention/attention';
import { posixOnly } from '../../../support/posixOnly';
import { isRunning } from '../../../support/processes';
import { until } from '../../../support/until';
import { FakeNotifySend, isOld, waitsForClick } from './notices/fakeNotifySend';

describe('a user who looks at another window', () => {
  const session = { title: 'One', agent: { title: 'Claude' } } as unknown as Session;
  let happened: Emitter<Happening>;
  let focus: Emitter<{ readonly focused: boolean }>;
  let isAway: boolean;
  let program: FakeNotifySend;
  let notifications: Notifications;
  let played: string[];
  let notified: string[];
  let shown: Session[];
  let logged: string[];
  beforeEach(() => {
    happened = new Emitter();
    focus = new Emitter();
    isAway = true;
    [played, notified, shown, logged] = [[], [], [], []];
  });
  afterEach(async () => {
    notifications.dispose();
    await until(() => program.runs.every(({ pid }) => !isRunning(pid)));
    program.remove();
  });

  /** Makes notices with a `notify-send` that does this. */
  function make(
    behavior: string,
    services: Partial<AwayServices> = {},
    away?: NotificationServices['away'],
  ): void {
    program = new FakeNotifySend(behavior);
    const system = { platform: 'linux', environment: { PATH: program.folder } } as const;
    const notices = new SystemNotices(system, { toShow: 60_000, toWait: 60_000, between: 0 });
    const settings = { systemNotifications: true, notificationSound: true };
    const tonePages = { play: (tone: string) => void played.push(tone) };
    const onDidChangeWindowState = focus.event;
    const all = { settings, tonePages, isUsersMachine: true, onDidChangeWindowState, ...services };
    notifications = new Notifications({
      sessions: { onDidHappen: happened.event },
      attention: { isVisible: () => false },
      panels: { find: () => undefined },
      tabs: { find: () => undefined },
      settings: { notifications: 'always' },
      notify: (kind) => {
        notified.push(kind);
        return Promise.resolve(false);
      },
      isAway: () => isAway,
      away: away ?? new Away(all, notices),
      show: (which) => shown.push(which),
      log: { warn: (text: string) => logged.push(text) } as never,
    });
  }

  posixOnly('gets a notice of the system, not VS Code’s, which leads to the session', async () => {
    make(waitsForClick);
    happened.fire({ session, kind: 'needsAnswer' });
    fs.writeFileSync(program.file('click'), '');
    await until(() => shown.length > 0);
    assert.deepEqual(shown, [session]);
    assert.equal(program.runs[0]?.args.at(-1), 'Claude needs your answer in “One”.');
    assert.deepEqual([played, notified], [['needsAnswer'], []]);
  });

  posixOnly('gets VS Code’s own where the system can’t', async () => {
    make('exit 1');
    happened.fire({ session, kind: 'turnEnded' });
    await until(() => notified.length > 0);
    assert.deepEqual([program.runs.length, played, notified], [2, ['ended'], ['turnEnded']]);
  });

  it('gets VS Code’s own where what reaches them can’t be loaded', async () => {
    make('', {}, { reach: () => Promise.reject(new Error('not found')) });
    happened.fire({ session, kind: 'failed' });
    await until(() => notified.length > 0);
    assert.deepEqual([played, notified], [[], ['failed']]);
    assert.match(logged.join(), /not found/);
  });

  it('gets no notice of a machine that they don’t sit at, but the sound', async () => {
    make(isOld, { isUsersMachine: false });
    happened.fire({ session, kind: 'turnEnded' });
    await until(() => notified.length > 0);
    assert.deepEqual([program.runs, played], [[], ['ended']]);
  });

  it('gets the notice alone, or the sound alone, as they like', async () => {
    make('exit 1', { settings: { systemNotifications: false, notificationSound: true } });
    happened.fire({ session, kind: 'turnEnded' });
    await until(() => notified.length > 0);
    assert.deepEqual([program.runs, played], [[], ['ended']]);
  });

  it('gets neither while they look at this one', async () => {
    isAway = false;
    make(isOld);
    happened.fire({ session, kind: 'turnEnded' });
    await until(() => notified.length > 0);
    assert.deepEqual([program.runs, played], [[], []]);
  });

  posixOnly('finds no notice left on return', async () => {
    make(waitsForClick);
    happened.fire({ session, kind: 'turnEnded' });
    await until(() => program.runs.length > 1);
    focus.fire({ focused: true });
    await until(() => fs.existsSync(program.file('withdrawn')));
    await until(() => program.runs.every(({ pid }) => !isRunning(pid)));
    assert.deepEqual([shown, notified], [[], []]);
  });
});
