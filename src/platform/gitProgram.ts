import path from 'node:path';
import * as vscode from 'vscode';
import { findProgram, searchPaths } from '../util/process/findProgram';

/** The git program that VS Code uses: its setting `git.path`, otherwise the one on the PATH. */
export async function gitProgram(): Promise<string | undefined> {
  const setting = vscode.workspace.getConfiguration('git').get<unknown>('path');
  const [chosen] = [setting]
    .flat()
    .filter((one) => typeof one === 'string' && path.isAbsolute(one));
  return typeof chosen === 'string' ? chosen : findProgram('git', await searchPaths());
}
