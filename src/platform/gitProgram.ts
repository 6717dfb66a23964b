import path from 'node:path';
import * as vscode from 'vscode';
import { findOnPath } from '../util/process/findProgram';

/** The git program that VS Code uses: its setting `git.path`, otherwise the one on the PATH, then on the login shell's. */
export async function gitProgram(): Promise<string | undefined> {
  const setting = vscode.workspace.getConfiguration('git').get<unknown>('path');
  const [chosen] = [setting]
    .flat()
    .filter((one) => typeof one === 'string' && path.isAbsolute(one));
  if (typeof chosen === 'string') {
    return chosen;
  }
  return findOnPath('git');
}
