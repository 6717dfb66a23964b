import { existsSync } from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { gitProgram } from '../../platform/gitProgram';
import type { Attachment } from '../../shared/transcript/prompt';
import { getBeginning } from '../../util/textParts';
import { fileUri } from '../../views/transcript/composer/attachments';
import { type Comparison, type DiffRun, diffText, untrackedFiles } from './model/diffText';
import type { Subject } from './model/subject';

/** Changes that a menu of Source Control was opened on. */
export interface ChosenChanges {
  readonly files: readonly string[];
  readonly comparison: Comparison;
}

/** Files of a group, which may have many. */
const maxFiles = 300;
/** New files, which are attached themselves. */
const maxNew = 20;
/** UTF-16 units. */
const maxDiff = 200_000;

/** What a menu of Source Control was opened on: changes, or a group of them with its id as VS Code's Git names it. */
export function chosenChanges(args: readonly unknown[]): ChosenChanges | undefined {
  const [first] = args;
  const isGroup = hasMember(first, 'resourceStates') && Array.isArray(first.resourceStates);
  const states: readonly unknown[] = isGroup ? (first.resourceStates as unknown[]) : args;
  const files = states.flatMap((state) =>
    hasMember(state, 'resourceUri') && state.resourceUri instanceof vscode.Uri
      ? [state.resourceUri.fsPath]
      : [],
  );
  const isStaged = isGroup && hasMember(first, 'id') && first.id === 'index';
  return isGroup || files.length > 0
    ? { files: files.slice(0, maxFiles), comparison: isStaged ? 'staged' : 'uncommitted' }
    : undefined;
}

/** The changes as a patch, and new files themselves, or why there are none. */
export async function aboutChanges({
  files,
  comparison,
}: ChosenChanges): Promise<Subject | string> {
  const [first] = files;
  const git = await gitProgram();
  if (git === undefined) {
    return l10n.t('Git wasn’t found');
  }
  const nothing = l10n.t('There are no changes to ask about.');
  if (first === undefined) {
    return nothing;
  }
  const { signal } = new AbortController();
  const run = { git, cwd: existingFolder(first), environment: process.env, signal, files };
  const text = getBeginning(await diffText(run, comparison), maxDiff);
  if (text === '') {
    return nothing;
  }
  const name = path.basename(first);
  const uri = 'acp-sessions:changes.diff';
  const isOne = files.length === 1;
  const label = isOne ? l10n.t('Changes of {0}', name) : l10n.t('{0} changes', files.length);
  return {
    ask: isOne ? l10n.t('About the changes of {0}: ', name) : l10n.t('About these changes: '),
    explain: isOne ? l10n.t('Explain the changes of {0}.', name) : l10n.t('Explain these changes.'),
    attachments: [
      { type: 'text', uri, name: label, text },
      ...(comparison === 'uncommitted' ? await newFiles(run) : []),
    ],
  };
}

async function newFiles(run: DiffRun): Promise<readonly Attachment[]> {
  const names = (await untrackedFiles(run)).slice(0, maxNew);
  return names.map((name) => ({
    type: 'file',
    uri: fileUri(vscode.Uri.file(path.resolve(run.cwd, name))),
    name: path.basename(name),
  }));
}

/** The nearest one: that of a deleted file may be gone, too. */
function existingFolder(file: string): string {
  let folder = path.dirname(file);
  while (!existsSync(folder) && folder !== path.dirname(folder)) {
    folder = path.dirname(folder);
  }
  return folder;
}

function hasMember<Name extends string>(
  value: unknown,
  name: Name,
): value is { readonly [key in Name]: unknown } {
  return typeof value === 'object' && value !== null && name in value;
}
