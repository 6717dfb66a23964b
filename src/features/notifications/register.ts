import * as vscode from 'vscode';
import { feature } from '../feature';
import { AgentsStatus } from './agentsStatus';
import { Away } from './away';
import { notificationsCommandIds as ids } from './commandIds';
import { tellOfInterrupted } from './interrupted';
import { nextRequest } from './nextRequest';
import { Notifications } from './notifications';
import { notify } from './notify';
import { RequestPicker } from './requestPicker';
import { notificationsSettingKeys, notificationsSettings } from './settings';

/** Tells a user who looks elsewhere what has happened, and leads to what waits for an answer. */
export const notifications = feature(
  { commandIds: ids, settingKeys: notificationsSettingKeys },
  (core) => {
    const { agents, attention, log, panels, reviews, sessions, tabs, tonePages } = core;
    const settings = notificationsSettings;
    const { own } = core.lifetime;
    const { window, env } = vscode;
    const isUsersMachine = env.remoteName === undefined && env.uiKind === vscode.UIKind.Desktop;
    const { onDidChangeWindowState } = window;
    const away = own(new Away({ settings, tonePages, isUsersMachine, onDidChangeWindowState }));
    own(
      new Notifications({
        sessions,
        attention,
        tabs,
        panels,
        settings,
        notify,
        away,
        isAway: () =>
          !window.state.focused && (settings.systemNotifications || settings.notificationSound),
        show: (session) => void panels.show(session),
        log: log.component('notifications'),
      }),
    );
    own(tellOfInterrupted(core));
    own(new AgentsStatus(agents, sessions));
    const requests = new RequestPicker(sessions, agents, panels, reviews);
    return {
      commands: {
        [ids.nextRequest]: () => nextRequest(requests),
        [ids.pickRequest]: () => requests.pick(),
      },
      parts: { requests, notificationsSettings: settings },
    };
  },
);
