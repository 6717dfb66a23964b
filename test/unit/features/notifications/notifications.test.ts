import assert from 'node:assert/strict';
import {
  type NotificationServices,
  Notifications,
} from '../../../../src/features/notifications/notifications';
import type { Session } from '../../../../src/model/session/session';
import { deferred } from '../../../../src/util/async';
import { Emitter } from '../../../../src/util/emitter';
import type { Happening } from '../../../../src/views/attention/attention';
import { until } from '../../../support/until';

type Told = readonly [who: 'VS Code' | 'system', kind: Happening['kind'], text: string];

describe('notifications', () => {
  const session = {
    title: 'One',
    agent: { title: 'Claude' },
    info: { sessionId: 'one' },
  } as unknown as Session;
  let happened: Emitter<Happening>;
  let told: Told[];
  let shown: Session[];
  let made: Notifications | undefined;
  beforeEach(() => {
    happened = new Emitter();
    told = [];
    shown = [];
  });
  afterEach(() => made?.dispose());

  /** The happenings that are told of, by whom. */
  const whoTells = (): readonly string[] => told.map(([who, kind]) => `${who}: ${kind}`);

  function make(
    settings: NotificationServices['settings']['notifications'],
    isVisible: boolean,
    click: { readonly notified?: Promise<boolean>; readonly reached?: Promise<boolean> },
    { hasPage = true, isActiveTab = false } = {},
  ): void {
    const never = new Promise<boolean>(() => undefined);
    made = new Notifications({
      sessions: { onDidHappen: happened.event },
      attention: { isVisible: () => isVisible },
      panels: { find: () => (hasPage ? ({} as never) : undefined) },
      tabs: { find: () => ({ isActive: isActiveTab }) as never },
      settings: { notifications: settings },
      notify: (kind, text) => {
        told.push(['VS Code', kind, text]);
        return click.notified ?? never;
      },
      isAway: () => click.reached !== undefined,
      away: {
        reach: (kind, text) => {
          told.push(['system', kind, text]);
          return Promise.resolve(click.reached && { clicked: click.reached });
        },
      },
      show: (which) => shown.push(which),
      log: { warn: () => undefined } as never,
    });
  }

  const words = {
    turnEnded: 'has finished',
    needsAnswer: 'needs your answer',
    failed: 'has failed',
  } as const;

  for (const kind of Object.keys(words) as (keyof typeof words)[]) {
    it(`are the system’s or VS Code’s, never both: ${kind}`, async () => {
      make('always', false, { reached: Promise.resolve(true) });
      happened.fire({ session, kind });
      await until(() => shown.length === 1);
      assert.deepEqual(whoTells(), [`system: ${kind}`]);
      made?.dispose();
      told = [];
      make('always', false, { notified: Promise.resolve(true) });
      happened.fire({ session, kind });
      await until(() => shown.length === 2);
      assert.deepEqual(whoTells(), [`VS Code: ${kind}`]);
      assert.equal(told[0]?.[2], `Claude ${words[kind]} in “One”.`);
    });
  }

  it('of a session whose tab is visible are only those of the system', async () => {
    make('whenHidden', true, { reached: Promise.resolve(true) });
    happened.fire({ session, kind: 'turnEnded' });
    await until(() => shown.length === 1);
    assert.deepEqual(whoTells(), ['system: turnEnded']);
    made?.dispose();
    told = [];
    make('whenHidden', true, {});
    happened.fire({ session, kind: 'turnEnded' });
    make('always', true, { notified: Promise.resolve(false) });
    happened.fire({ session, kind: 'failed' });
    await until(() => told.length > 0);
    assert.deepEqual(whoTells(), ['VS Code: failed']);
  });

  it('are none of a request that VS Code shows already, beside another editor or before it has a page', async () => {
    const seen = [
      { isVisible: true, hasPage: true, isActiveTab: true },
      { isVisible: false, hasPage: false, isActiveTab: true },
    ];
    for (const { isVisible, ...tab } of seen) {
      make('whenHidden', isVisible, {}, tab);
      happened.fire({ session, kind: 'needsAnswer' });
      made?.dispose();
    }
    const hidden = [
      { isVisible: false, hasPage: false, isActiveTab: false },
      // Behind an editor that is maximized.
      { isVisible: false, hasPage: true, isActiveTab: true },
    ];
    for (const [at, { isVisible, ...tab }] of hidden.entries()) {
      make('whenHidden', isVisible, {}, tab);
      happened.fire({ session, kind: 'needsAnswer' });
      await until(() => told.length > at);
      made?.dispose();
    }
    assert.deepEqual(whoTells(), ['VS Code: needsAnswer', 'VS Code: needsAnswer']);
  });

  it('are none if the user wants none', async () => {
    make('never', false, { reached: Promise.resolve(true) });
    happened.fire({ session, kind: 'turnEnded' });
    const other = {
      title: 'Two',
      agent: { title: 'Claude' },
      info: { sessionId: 'two' },
    } as unknown as Session;
    made?.dispose();
    make('always', false, { reached: Promise.resolve(true) });
    happened.fire({ session: other, kind: 'turnEnded' });
    await until(() => shown.length === 1);
    assert.deepEqual(shown, [other]);
    assert.equal(told.length, 1);
  });

  it('of the same event are one at a time', async () => {
    const click = deferred<boolean>();
    make('always', false, { reached: click.promise });
    happened.fire({ session, kind: 'turnEnded' });
    happened.fire({ session, kind: 'turnEnded' });
    happened.fire({ session, kind: 'needsAnswer' });
    await until(() => told.length === 2);
    assert.deepEqual(whoTells(), ['system: turnEnded', 'system: needsAnswer']);
    click.resolve(false);
    await until(() => {
      happened.fire({ session, kind: 'turnEnded' });
      return told.length > 2;
    });
    assert.deepEqual(shown, []);
  });
});
