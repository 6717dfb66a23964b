import type { Log } from '../../model/ports';
import type { Disposable } from '../../util/disposable';
import { ToolServer } from './model/toolServer';
import { editorsTools } from './tools/editorTabs';
import { navigationTools } from './tools/navigation';
import { problems } from './tools/problemsTool';
import { followReports } from './tools/settledProblems';
import { symbols } from './tools/symbolLists';

/** The server of all tools of the editor. */
export function createToolServer(
  options: { readonly log: Log; readonly version: string },
  own: (part: Disposable) => void,
): ToolServer {
  own(followReports());
  const tools = [problems, ...navigationTools, symbols, ...editorsTools];
  return new ToolServer({ ...options, tools });
}
