import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgreedDeletions } from '../../../src/features/review/files/agreedDeletions';
import { VsCodeReviewFiles } from '../../../src/features/review/files/vsCodeReviewFiles';
import type { reviewChanges } from '../../../src/features/review/reviewCommands';
import { Reviewing } from '../../../src/features/review/reviewing';
import { OwnWrites } from '../../../src/platform/files/ownWrites';
import { type FakeChange, type FakeReview, FakeReviews } from '../../support/fakeReviews';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { ExtensionBench } from '../../vscode/harness/support';

export const before = 'one\ntwo\nthree\nfour\nfive\n';
export const after = 'one\nTWO\nthree\nfour\nFIVE\n';

/** The transcript of one session is the active one. */
export const activeOne = {
  active: { session: { agent: { id: 'claude' }, info: { sessionId: 'one' } } },
} as Parameters<typeof reviewChanges>[1];

/** What is shown of changes to review, and what decides about them, with reviews that tests make up. */
export class ReviewBench {
  readonly dialogs = new Dialogs();
  readonly files: VsCodeReviewFiles;
  readonly reviews: FakeReviews;
  readonly reviewing: Reviewing;
  readonly #bench: ExtensionBench;

  private constructor(bench: ExtensionBench) {
    this.#bench = bench;
    const agreedDeletions = new AgreedDeletions();
    this.files = new VsCodeReviewFiles({
      own: new OwnWrites(),
      folders: () => [bench.folder],
      mayDeleteForGood: (deleted) => agreedDeletions.mayDelete(deleted),
    });
    this.reviews = new FakeReviews(this.files);
    this.reviewing = new Reviewing({ ...bench.api, reviews: this.reviews, agreedDeletions });
  }

  static async create(): Promise<ReviewBench> {
    return new ReviewBench(await ExtensionBench.create());
  }

  async dispose(): Promise<void> {
    this.reviewing.dispose();
    this.files.dispose();
    this.dialogs.dispose();
    await this.#bench.dispose();
  }

  file(name: string): string {
    return this.#bench.file(name);
  }

  /** A session that has changed these files. */
  async changed(
    id: string,
    changes: Readonly<Record<string, Omit<FakeChange, 'file'>>>,
  ): Promise<FakeReview> {
    const all = Object.entries(changes).map(([name, change]) => ({
      ...change,
      file: this.file(name),
    }));
    for (const { file, after: text } of all) {
      if (text !== null) {
        await writeFile(file, text);
      }
    }
    return this.reviews.add('claude', id, all);
  }

  show(name: string): Thenable<vscode.TextEditor> {
    return vscode.window.showTextDocument(vscode.Uri.file(this.file(name)), { preview: false });
  }
}

/** The title of the editor of changes that this opens, and for each file the kinds of its two sides. */
export async function openedBy(
  open: () => Promise<void>,
): Promise<readonly [string, readonly (readonly (string | undefined)[])[]]> {
  const opened: unknown[][] = [];
  const execute = vscode.commands.executeCommand.bind(vscode.commands);
  const back = replaceMember(
    vscode.commands,
    'executeCommand',
    (id: string, ...rest: unknown[]) => {
      if (id === 'vscode.changes') {
        opened.push(rest);
      }
      return execute(id, ...rest);
    },
  );
  try {
    await open();
  } finally {
    back();
  }
  const [[name, resources] = []] = opened as [string, (vscode.Uri | undefined)[][]][];
  const sides = resources?.map(([file, left, right]) => [
    path.basename(file?.path ?? ''),
    left?.scheme,
    right?.scheme,
    ...(left && file && left.path !== file.path ? [path.basename(left.path)] : []),
  ]);
  return [name ?? '', sides ?? []];
}

export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}
