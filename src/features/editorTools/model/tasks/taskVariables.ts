import path from 'node:path';
import { ToolRefusal } from '../tool';

/** What the variables stand for. */
export interface VariablePlace {
  /** The folder whose `tasks.json` it is, as an absolute path. */
  readonly folder: string;
  readonly home: string;
}

/** Variables of VS Code of which only running the task tells what they stand for, or that run something themselves. */
const unknowable =
  /^(?:env|config|command|input|extensionInstallFolder|workspaceFolder|workspaceRoot|(?:relative)?[fF]ile\w*):|^(?:(?:relative)?[fF]ile\w*|fileWorkspaceFolder\w*|selectedText|lineNumber|columnNumber|cwd|execPath|defaultBuildTask)$/;

/**
 * A text of a task with the values of VS Code's variables. Throws `ToolRefusal` for those that can't be told before the
 * task runs; what VS Code doesn't know either is the shell's.
 */
export function fillIn(text: string, { folder, home }: VariablePlace): string {
  const known: Readonly<Record<string, string>> = {
    workspaceFolder: folder,
    workspaceRoot: folder,
    workspaceFolderBasename: path.basename(folder),
    userHome: home,
    pathSeparator: path.sep,
    '/': path.sep,
  };
  return text.replace(/\$\{([^{}]{1,200})\}/g, (all, name: string) => {
    if (unknowable.test(name)) {
      throw new ToolRefusal(`It uses the variable ${all}, whose value can't be shown beforehand.`);
    }
    return Object.hasOwn(known, name) ? (known[name] ?? all) : all;
  });
}
