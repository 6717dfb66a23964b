import * as vscode from 'vscode';
import { viewIds } from '../../platform/ids';
import type { Disposable } from '../../util/disposable';
import type { GlanceServices } from './glanceView';

/** Offers the view of all sessions at a glance; its bundle is loaded when it is first shown. */
export function provideGlance(services: GlanceServices): Disposable {
  return vscode.window.registerWebviewViewProvider(viewIds.glance, {
    resolveWebviewView: async (view) => {
      const { GlanceView } = await import('./glanceView');
      GlanceView.fill(view, services);
    },
  });
}
