import process from 'node:process';
import * as vscode from 'vscode';
import { findProgram } from '../../util/process/findProgram';
import { feature } from '../feature';
import { findAwakeProgram } from './awakeProgram';
import { KeepAwake } from './keepAwake';
import { keepAwakeSettingKeys, keepAwakeSettings } from './settings';

/** Keeps the computer awake while an agent works, if the user wants that. */
export const keepAwake = feature(
  { commandIds: {}, settingKeys: keepAwakeSettingKeys },
  ({ lifetime, sessions, log }) => {
    const { remoteName, uiKind } = vscode.env;
    // In a remote window this would keep another machine awake than the user's.
    if (remoteName === undefined && uiKind === vscode.UIKind.Desktop) {
      const { platform, pid, env } = process;
      const find = (name: string): Promise<string | undefined> => findProgram(name, [env['PATH']]);
      lifetime.own(
        new KeepAwake({
          sessions,
          settings: keepAwakeSettings,
          findProgram: () => findAwakeProgram({ platform, pid, find }),
          log: log.component('keepAwake'),
        }),
      );
    }
    return { commands: {}, parts: {} };
  },
);
