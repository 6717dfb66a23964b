import path from 'node:path';
import * as vscode from 'vscode';
import type { Repository } from '../../../model/places/repository';
import { cleanText } from '../../../model/text/titles';
import type { ChangedFile, ChangePart } from '../model/changeParts';
import type { WorktreeServices } from '../worktreeServices';

/** Shows parts of a change beside a list of them: the file's base and the worktree's file, at the lines of the part. */
export class PartDiffs {
  readonly #documents: WorktreeServices['documents'];
  readonly #top: string;
  readonly #branch: string;
  readonly #sides = new Map<ChangedFile, readonly [before: vscode.Uri, now: vscode.Uri]>();
  #wanted: ChangePart | undefined;
  #showing: Promise<unknown> = Promise.resolve();

  constructor(
    { documents }: Pick<WorktreeServices, 'documents'>,
    { top }: Repository,
    branch: string,
  ) {
    this.#documents = documents;
    this.#top = top;
    this.#branch = branch;
  }

  /** Shows a part, unless another one is wanted before it is its turn. What is no text isn't shown. */
  show(part: ChangePart | undefined): void {
    this.#wanted = part;
    this.#showing = this.#showing.then(() => this.#open(part)).catch(() => undefined);
  }

  /** Closes what is shown, so that the editor is there again in which the user was before. */
  async close(): Promise<void> {
    this.#wanted = undefined;
    await this.#showing;
    const shown = new Set([...this.#sides.values()].map(([before]) => before.toString()));
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputTextDiff && shown.has(input.original.toString()),
      );
    await vscode.window.tabGroups.close(tabs);
  }

  async #open(part: ChangePart | undefined): Promise<void> {
    if (part?.file.texts === undefined || part !== this.#wanted) {
      return;
    }
    const { file, hunk } = part;
    const line = Math.max((hunk?.now.start ?? 1) - 1, 0);
    const title = `${cleanText(path.posix.basename(file.name), 100)} (${this.#branch})`;
    await vscode.commands.executeCommand('vscode.diff', ...this.#sidesOf(file), title, {
      ...{ preserveFocus: true, preview: true },
      selection: new vscode.Range(line, 0, line, 0),
    });
  }

  #sidesOf(file: ChangedFile): readonly [before: vscode.Uri, now: vscode.Uri] {
    const known = this.#sides.get(file);
    if (known !== undefined) {
      return known;
    }
    const uri = vscode.Uri.file(path.join(this.#top, ...file.name.split('/')));
    const state = (text: string): vscode.Uri => this.#documents.addState(uri, text);
    const before = state(file.texts?.before ?? '');
    const sides = [before, file.theirs.kind === 'file' ? uri : state('')] as const;
    this.#sides.set(file, sides);
    return sides;
  }
}
