import * as vscode from 'vscode';
import { viewIds } from '../../platform/ids';
import { Absence } from '../../views/attention/absence';
import { feature } from '../feature';
import { glanceCommandIds as ids } from './commandIds';
import { provideGlance } from './glanceView';

/** Shows what concerns the user, of all agents and folders, in a view of the panel. */
export const glance = feature({ commandIds: ids }, (core) => {
  const { own } = core.lifetime;
  const { onDidChangeWindowState } = vscode.window;
  const absence = own(new Absence({ sessions: core.sessions, onDidChangeWindowState }));
  own(provideGlance({ ...core, absence, extensionUri: core.context.extensionUri }));
  return {
    commands: {
      [ids.showGlance]: () => vscode.commands.executeCommand(`${viewIds.glance}.focus`),
    },
    parts: {},
  };
});
