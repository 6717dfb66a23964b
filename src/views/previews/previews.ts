import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { contextKeys } from '../../platform/ids';
import { keepContexts } from '../../platform/ui/contexts';
import { type Deferred, deferred } from '../../util/async';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { isMultiDiff } from './multiDiffTabs';

/** What can be decided in previews: each has a button in the editor's title, by a command of the manifest. */
export type PreviewChoice =
  | 'restore'
  | 'restoreAndGoBack'
  | 'bringBack'
  | 'keepMyEdits'
  | 'discardMyEdits'
  | 'apply'
  | 'applyWithoutConflicts';

/** A file as `vscode.changes` takes it: its name, and its two sides; `undefined`: there is no file. */
export type PreviewedFile = readonly [
  file: vscode.Uri,
  before: vscode.Uri | undefined,
  after: vscode.Uri | undefined,
];

export interface Preview<C extends PreviewChoice> {
  /** The name of the tab. */
  readonly title: string;
  readonly question: string;
  /** What each choice does, in whole sentences; the first is the one of Ctrl+Enter. */
  readonly choices: readonly (readonly [choice: C, effect: string])[];
  /** What else has to be known; an empty line separates paragraphs. */
  readonly notes: readonly string[];
  readonly files: readonly PreviewedFile[];
}

/** Half of an editor is narrow, and comparisons aren't wrapped. */
const maxColumns = 50;

/** A preview that is open, and not decided yet. */
interface Question {
  readonly title: string;
  readonly choices: readonly PreviewChoice[];
  readonly answer: Deferred<PreviewChoice | undefined>;
  /** Whether its editor stays: before, nothing is decided. */
  isShown: boolean;
}

/** The titles of the commands, by which the text of a preview names its buttons. */
export const choiceLabels: Readonly<Record<PreviewChoice, string>> = {
  restore: l10n.t('Restore These Files'),
  restoreAndGoBack: l10n.t('Restore and Go Back'),
  bringBack: l10n.t('Bring These Changes Back'),
  keepMyEdits: l10n.t('Keep My Edits'),
  discardMyEdits: l10n.t('Discard My Edits'),
  apply: l10n.t('Apply These Changes'),
  applyWithoutConflicts: l10n.t('Apply What Has No Conflict'),
};

/**
 * Shows what would change in an editor, whose title has the buttons that decide about it. Above the files, the editor
 * says what is asked. Closing it changes nothing, and neither does reloading the window, which leaves no buttons.
 */
export class Previews implements Disposable {
  readonly #documents: Pick<ReadOnlyDocuments, 'add'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** The questions by what they are about. */
  readonly #questions = new Map<unknown, Question>();

  constructor(documents: Pick<ReadOnlyDocuments, 'add'>) {
    this.#documents = documents;
    const { tabGroups } = vscode.window;
    this.#store.add(
      keepContexts(
        () => ({ [contextKeys.previewChoices]: this.active?.choices.join(' ') ?? '' }),
        [
          this.#changed.event,
          (listener) => tabGroups.onDidChangeTabs(listener),
          (listener) => tabGroups.onDidChangeTabGroups(listener),
        ],
      ),
    );
    this.#store.add(tabGroups.onDidChangeTabs(({ closed }) => this.#endClosed(closed)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The question of the active editor. */
  get active(): Pick<Question, 'title' | 'choices'> | undefined {
    return this.#active?.[1];
  }

  get #active(): readonly [about: unknown, question: Question] | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return (
      tab &&
      [...this.#questions].find(([, { title, isShown }]) => isShown && isMultiDiff(tab, title))
    );
  }

  /**
   * Shows what is planned, and asks. If something else is planned by the time of the answer, that is shown and asked
   * about again, so that the plan that is returned was seen. `undefined`: the user has closed the preview, or there is
   * no plan (any more). `about`: another preview about the same closes this one.
   */
  async ask<P, C extends PreviewChoice>(
    about: unknown,
    plan: () => Promise<P | undefined>,
    getPreview: (planned: P) => Promise<Preview<C>>,
  ): Promise<{ readonly plan: P; readonly choice: C } | undefined> {
    let planned = await plan();
    for (let isAgain = false; planned !== undefined; isAgain = true) {
      const choice = await this.#show(about, await getPreview(planned), isAgain);
      const now = choice && (await plan());
      if (choice === undefined || isDeepStrictEqual(now, planned)) {
        return choice && { plan: planned, choice };
      }
      planned = now;
    }
    return undefined;
  }

  /** Decides in the active editor, if it asks that. */
  async answer(choice: PreviewChoice | undefined): Promise<void> {
    const [about, question] = this.#active ?? [];
    if (choice !== undefined && question?.choices.includes(choice) === true) {
      await this.#end(about, choice);
    }
  }

  async #show<C extends PreviewChoice>(
    about: unknown,
    preview: Preview<C>,
    isAgain: boolean,
  ): Promise<C | undefined> {
    await this.#end(about, undefined);
    const title = this.#unusedTitle(preview.title);
    // One of this name from before the window was reloaded asks nothing any more.
    await closeTabs(title);
    const answer = deferred<PreviewChoice | undefined>();
    const choices = preview.choices.map(([choice]) => choice);
    const question = { title, choices, answer, isShown: false };
    this.#questions.set(about, question);
    const text = this.#documents.add(`${l10n.t('What Is Asked')}.txt`, getText(preview, isAgain));
    try {
      const files = [[text, undefined, text], ...preview.files];
      await vscode.commands.executeCommand('vscode.changes', title, files);
      // What is opened next would take the place of a tab that isn't kept.
      await vscode.commands.executeCommand('workbench.action.keepEditor');
    } catch (error) {
      await this.#end(about, undefined);
      throw error;
    }
    question.isShown = true;
    this.#changed.fire();
    return (await answer.promise) as C | undefined;
  }

  async #end(about: unknown, choice: PreviewChoice | undefined): Promise<void> {
    const question = this.#questions.get(about);
    if (question !== undefined) {
      this.#questions.delete(about);
      this.#changed.fire();
      await closeTabs(question.title);
      question.answer.resolve(choice);
    }
  }

  /** A tab that was moved to another group is closed in one and opened in the other. */
  #endClosed(closed: readonly vscode.Tab[]): void {
    for (const [about, { title }] of [...this.#questions]) {
      if (closed.some((tab) => isMultiDiff(tab, title)) && getTabs(title).length === 0) {
        void this.#end(about, undefined);
      }
    }
  }

  #unusedTitle(title: string): string {
    const used = new Set([...this.#questions.values()].map((question) => question.title));
    let unused = title;
    for (let count = 2; used.has(unused); count++) {
      unused = `${title} · ${count}`;
    }
    return unused;
  }
}

function getText<C extends PreviewChoice>(
  { question, choices, notes }: Preview<C>,
  isAgain: boolean,
): string {
  const again = l10n.t('Files have changed since this was shown, so it is shown and asked again.');
  const paragraphs = [
    ...(isAgain ? [again, ''] : []),
    question,
    '',
    ...choices.map(([choice, effect]) => `${choiceLabels[choice]}: ${effect}`),
    '',
    l10n.t('The buttons are above. Ctrl+Enter, or ⌘Enter on macOS, is the first one.'),
    l10n.t('Close this editor to change nothing.'),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
  return paragraphs.map(wrapped).join('\n');
}

/** Wraps a paragraph in lines that continue indented; a word or path that is longer stays whole. */
function wrapped(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > maxColumns) {
      lines.push(line);
      line = `    ${word}`;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}

function getTabs(title: string): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => isMultiDiff(tab, title));
}

async function closeTabs(title: string): Promise<void> {
  await vscode.window.tabGroups.close(getTabs(title));
}
