import { readSetting } from '../../platform/settings/setting';

export const notificationsSettingKeys = {
  notifications: 'notifications',
  notificationSound: 'notificationSound',
  systemNotifications: 'systemNotifications',
} as const;

const choices = ['never', 'whenHidden', 'always'] as const;

/** How the user is told about the end of a turn, a failure or a needed answer. */
export interface NotificationsSettings {
  /** When it is announced outside of the session's tab. */
  readonly notifications: (typeof choices)[number];
  /** Whether the operating system shows it while the window doesn't have the focus. */
  readonly systemNotifications: boolean;
  /** Whether a sound is played with it while the window doesn't have the focus. */
  readonly notificationSound: boolean;
}

/** Read anew each time. */
export const notificationsSettings: NotificationsSettings = {
  get notifications() {
    const value = readSetting(notificationsSettingKeys.notifications);
    return choices.find((choice) => choice === value) ?? 'whenHidden';
  },
  get systemNotifications() {
    return readSetting(notificationsSettingKeys.systemNotifications) === true;
  },
  get notificationSound() {
    return readSetting(notificationsSettingKeys.notificationSound) === true;
  },
};
