import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PendingFile } from '../../../model/changes/reviews';
import { resolveInside } from '../../../model/files/roots';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { cleanText } from '../../../model/text/titles';
import { lineOfLast, lookingEffort } from '../../../model/transcript/textBefore';
import { touchedFile } from '../../../model/transcript/touchedFile';
import { realPath } from '../../../platform/files/realPath';
import { diffsIn, filesChangedIn } from '../../../shared/transcript/content';
import type { ToolCallEntry, TranscriptChange } from '../../../shared/transcript/entries';
import { placeIn } from '../../../shared/transcript/places';
import { type Disposable, DisposableStore, toDisposable } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { plainLabel } from '../../../views/plainLabel';
import { textOfFile } from '../../../views/sessionFiles';
import { reviewCommandIds } from '../commandIds';
import type { Reviews } from '../model/review';
import { baselineScheme } from './baselineDocuments';

/** An agent touches many files in quick succession; only one on which it rests for this time, in ms, is shown. */
const settleMs = 200;

/** Maximum number of files by which a tab is recognized. */
const maxShownFiles = 5;
const maxNamedFiles = 10_000;

/** Editors with other schemes are fields, such as the input of a source control. */
const editorSchemes: readonly string[] = ['file', 'untitled', baselineScheme];

/** The place where the agent is. */
interface Place {
  readonly file: string;
  /** The line, from 1. */
  readonly line?: number;
  /** The agent's last change there, which gives the line if the agent doesn't. */
  readonly call?: ToolCallEntry;
}

/**
 * Shows the file and line that a session's agent touches in an editor beside, as a preview that never takes the focus.
 * Whatever the user does in an editor stops it until they resume it.
 */
export class Following implements Disposable {
  readonly #reviews: Pick<Reviews, 'of' | 'onDidChange'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #item: vscode.StatusBarItem;
  #followed: { readonly session: Session; readonly listening: Disposable } | undefined;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;
  #isShowing = false;
  #place: Place | undefined;
  /** The column of the editor that was shown last. */
  #column: vscode.ViewColumn | undefined;
  /** The files that were shown last, because VS Code reports its tabs later. */
  #shown: readonly string[] = [];
  /** Files that tool calls have named; the record names them again, and later. */
  readonly #named = new Set<string>();
  /** The active tab of each column. */
  #active: ReadonlyMap<number, string> = new Map();

  constructor(
    reviews: Pick<Reviews, 'of' | 'onDidChange'>,
    sessions: Pick<Sessions, 'find' | 'onDidChange'>,
  ) {
    this.#reviews = reviews;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('follow', vscode.StatusBarAlignment.Left, -11),
    );
    this.#item.name = l10n.t('Followed Agent');
    this.#store.add(
      sessions.onDidChange(({ agent, info }) => {
        const session = this.#followed?.session;
        if (session?.info.sessionId === info.sessionId && session.agent.id === agent.id) {
          if (sessions.find(agent.id, info.sessionId) !== session) {
            this.end();
          }
        }
      }),
    );
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        const isByHand =
          kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
          kind === vscode.TextEditorSelectionChangeKind.Mouse;
        if (isByHand && editorSchemes.includes(textEditor.document.uri.scheme)) {
          this.#stop();
        }
      }),
    );
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(() => {
        if (this.#hasChosenTab()) {
          this.#stop();
        }
      }),
    );
    this.#store.add(toDisposable(() => this.end()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Whether an agent is followed, also while the user's own work has stopped it. */
  get isFollowing(): boolean {
    return this.#followed !== undefined;
  }

  isFollowed(session: Session | undefined): boolean {
    return session !== undefined && this.#followed?.session === session;
  }

  /** Follows this session from now on, instead of any other. */
  follow(session: Session): void {
    this.end();
    const store = new DisposableStore();
    store.add(session.transcript.onDidChange((change) => this.#note(session, change)));
    store.add(
      session.transcript.onDidChangeNested(({ number, change }) =>
        this.#note(session, change, number),
      ),
    );
    store.add(this.#followRecord(session));
    this.#followed = { session, listening: store };
    this.#begin();
  }

  /** Goes on after the user's own work stopped it, at the place where the agent is by now. */
  resume(): void {
    if (this.#followed !== undefined) {
      this.#begin();
      this.#later();
    }
  }

  #begin(): void {
    this.#isStopped = false;
    this.#column = undefined;
    this.#shown = [];
    this.#active = activeTabs();
    this.#render();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#followed?.listening.dispose();
    this.#followed = undefined;
    this.#place = undefined;
    this.#named.clear();
    this.#render();
  }

  #stop(): void {
    if (this.#followed !== undefined && !this.#isStopped) {
      this.#isStopped = true;
      clearTimeout(this.#timer);
      this.#render();
    }
  }

  /** Files that the agent changed without a word, as far as the record knows. */
  #followRecord({ agent, info }: Session): Disposable {
    const pending = (): readonly PendingFile[] =>
      this.#reviews.of(agent.id, info.sessionId)?.pending ?? [];
    let known = pending();
    return this.#reviews.onDidChange(() => {
      const before = new Map(known.map((file) => [file.file, file]));
      known = pending();
      const touched = known.find(({ file, added, removed, kind, isOutside }) => {
        const old = before.get(file);
        const isSame = old?.added === added && old.removed === removed && old.kind === kind;
        return !isSame && kind !== 'deleted' && !isOutside && !this.#named.has(file);
      });
      if (touched !== undefined) {
        this.#goTo({ file: touched.file });
      }
    });
  }

  /** `number`: the subagent's whose transcript has changed. */
  #note(session: Session, change: TranscriptChange, number = 0): void {
    if (change.type === 'reset') {
      return;
    }
    const index = change.type === 'updated' ? change.index : change.to - 1;
    const entry = session.transcript.at(placeIn(number, index));
    if (number === 0 && change.type === 'appended' && entry?.kind === 'user') {
      this.#named.clear();
    }
    // A replay isn't work.
    if (entry?.kind !== 'toolCall' || session.turns.current.kind === 'idle') {
      return;
    }
    const touched = touchedFile(entry);
    const named = [...(touched ? [touched.path] : []), ...filesChangedIn(entry.content)];
    for (const file of named.slice(0, maxNamedFiles - this.#named.size)) {
      this.#named.add(path.resolve(session.info.cwd, file));
    }
    if (touched !== undefined) {
      const { path: file, line } = touched;
      this.#goTo({ file, call: entry, ...(line !== undefined && { line }) });
    }
  }

  #goTo(place: Place): void {
    this.#place = place;
    if (!this.#isStopped) {
      this.#later();
    }
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isDue = true;
      void this.#showWhatIsDue();
    }, settleMs);
  }

  /** Shows one file at a time: a slow window would be given files faster than it can show them. */
  async #showWhatIsDue(): Promise<void> {
    if (this.#isShowing) {
      return;
    }
    this.#isShowing = true;
    while (this.#isDue) {
      this.#isDue = false;
      await this.#show().catch(() => undefined);
    }
    this.#isShowing = false;
  }

  async #show(): Promise<void> {
    const session = this.#followed?.session;
    const place = this.#place;
    if (session === undefined || place === undefined || this.#isStopped) {
      return;
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const file = path.resolve(session.info.cwd, place.file);
    const real = await resolveInside(file, { roots: session.roots, folders }, realPath);
    const text = await textOfFile(real);
    if (text === undefined) {
      return;
    }
    const line =
      place.line ?? lineOfCall(text, place.call) ?? (await this.#firstChange(session, real, text));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    if (!this.#mayShow(session)) {
      return;
    }
    const row = Math.min(Math.max(line ?? 1, 1), document.lineCount) - 1;
    const column = this.#column ?? columnFor(document.uri);
    this.#shown = [document.uri.toString(), ...this.#shown].slice(0, maxShownFiles);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: column,
      preview: true,
      preserveFocus: true,
      selection: new vscode.Range(row, 0, row, 0),
    });
    editor.revealRange(
      new vscode.Range(row, 0, row, 0),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
    this.#column = editor.viewColumn ?? column;
  }

  /** The line of a file's first change that waits for review. */
  async #firstChange(
    { agent, info }: Session,
    file: string,
    text: string,
  ): Promise<number | undefined> {
    const hunks = await this.#reviews.of(agent.id, info.sessionId)?.hunks(file, text);
    return hunks?.[0]?.now.start;
  }

  /** The user may have stopped it while a file was read. */
  #mayShow(session: Session): boolean {
    return !this.#isStopped && this.#followed?.session === session;
  }

  /** Whether another tab than before is active in a group, and it isn't one that was shown here. */
  #hasChosenTab(): boolean {
    const before = this.#active;
    this.#active = activeTabs();
    return [...this.#active].some(
      ([column, tab]) => before.get(column) !== tab && !this.#shown.includes(tab),
    );
  }

  #render(): void {
    const session = this.#followed?.session;
    this.#changed.fire();
    if (session === undefined) {
      this.#item.hide();
      return;
    }
    const agent = cleanText(session.agent.title, 40);
    const text = this.#isStopped ? l10n.t('Following stopped') : l10n.t('Following {0}', agent);
    this.#item.text = `$(${this.#isStopped ? 'eye-closed' : 'eye'}) ${plainLabel(text)}`;
    this.#item.tooltip = this.#isStopped
      ? l10n.t('Click to follow {0} again', agent)
      : l10n.t(
          'The editor beside shows the file that {0} works on. It stops as soon as you do something in an editor. Click to stop it.',
          agent,
        );
    this.#item.accessibilityInformation = { label: text };
    this.#item.command = this.#isStopped
      ? reviewCommandIds.followAgent
      : reviewCommandIds.stopFollowing;
    this.#item.show();
  }
}

/** What identifies the active tabs; a transcript is where the user watches. */
function activeTabs(): ReadonlyMap<number, string> {
  const { all } = vscode.window.tabGroups;
  return new Map(
    all.flatMap(({ viewColumn, activeTab }) =>
      activeTab === undefined || activeTab.input instanceof vscode.TabInputCustom
        ? []
        : [[viewColumn, getKey(activeTab)]],
    ),
  );
}

function getKey({ input, label }: vscode.Tab): string {
  return input instanceof vscode.TabInputText ? input.uri.toString() : label;
}

/** The line of the last change in a call; it may be in the file already, or not yet. */
function lineOfCall(text: string, call: ToolCallEntry | undefined): number | undefined {
  const diffs = call === undefined ? [] : diffsIn(call.content);
  return diffs.length === 0 ? undefined : lineOfLast(text, diffs, lookingEffort());
}

/**
 * The group that has the file in front, otherwise one without a transcript and without unsaved changes in front,
 * otherwise a new one.
 */
function columnFor(file: vscode.Uri): vscode.ViewColumn {
  const { all } = vscode.window.tabGroups;
  const group =
    all.find(({ activeTab }) => activeTab !== undefined && getKey(activeTab) === file.toString()) ??
    all.find(
      ({ activeTab }) =>
        !(activeTab?.input instanceof vscode.TabInputCustom) && activeTab?.isDirty !== true,
    );
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}
