import type { Log, Terminals } from '../../model/ports';
import type { Disposable } from '../../util/disposable';
import { lasting } from './model/lastingCalls';
import { ToolServer } from './model/toolServer';
import { askUser } from './tools/askUser';
import { codeAction } from './tools/codeActions';
import { debugState } from './tools/debugState';
import { editorsTools } from './tools/editorTabs';
import { formatFile } from './tools/formatFile';
import { navigationTools } from './tools/navigation';
import { type ChangedFiles, problemsTool } from './tools/problemsTool';
import { renameSymbol } from './tools/renameSymbol';
import { runTask } from './tools/runTask';
import { followReports } from './tools/settledProblems';
import { symbols } from './tools/symbolLists';
import { TaskRuns } from './tools/taskRuns';
import { runTests } from './tools/testRuns';

const lastingTools = [
  ...[askUser, renameSymbol, codeAction, formatFile],
  ...[runTests, debugState],
];

/** The server of all tools of the editor. */
export function createToolServer(
  {
    changedFiles,
    terminals,
    ...options
  }: {
    readonly log: Log;
    readonly version: string;
    readonly mayAct: () => boolean;
    readonly changedFiles: ChangedFiles;
    /** Run the commands of tasks. */
    readonly terminals: Terminals;
  },
  own: (part: Disposable) => void,
): ToolServer {
  own(followReports());
  const runs = new TaskRuns(terminals);
  own(runs);
  const tools = [
    ...[problemsTool(changedFiles), ...navigationTools, symbols, ...editorsTools],
    ...[...lastingTools, runTask(runs)].map((tool) => lasting(tool)),
  ];
  return new ToolServer({ ...options, tools });
}
