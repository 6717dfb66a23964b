import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReviewedState } from '../../../model/changes/providedReviews';
import type { PendingFile } from '../../../model/changes/reviews';
import { type Disposable, DisposableStore, toDisposable } from '../../../util/disposable';
import type { Reviews, SessionReview, TurnFile, TurnSide } from '../model/review';

export const baselineScheme = 'acp-review';
/** Steps of a record that arrive within this time, in ms, are shown together. */
const settleMs = 100;

/** Which state of a file a document has. */
interface Baseline {
  readonly agentId: string;
  readonly sessionId: string;
  /** The turn from which on changes are left out. */
  readonly since?: number;
  /** Whether uncertain changes are left out. */
  readonly isCertain?: true;
  /** The file's present path, if the document has its earlier one. */
  readonly movedTo?: string;
}

/** A state from the past, which no decision is about. */
interface PastState {
  readonly agentId: string;
  readonly sessionId: string;
  readonly turn: number;
  readonly side: TurnSide;
  /** The path after the turn. */
  readonly file: string;
  /** Why the document says that the file can't be compared, instead of its text. */
  readonly form?: UncomparedForm;
}

type UncomparedForm = Exclude<TurnFile['form'], 'text'>;

/**
 * The files without the changes that wait for review, and as they were before and after a turn, as read-only documents
 * under the paths of the files. They follow the record.
 */
export class BaselineDocuments implements Disposable, vscode.TextDocumentContentProvider {
  readonly #reviews: Pick<Reviews, 'of' | 'onDidChange'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  /** The texts that VS Code has, by URI. */
  readonly #shown = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(reviews: Pick<Reviews, 'of' | 'onDidChange'>) {
    this.#reviews = reviews;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(baselineScheme, this));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
    );
    this.#store.add(
      reviews.onDidChange(() => {
        this.#timer ??= setTimeout(() => void this.#update(), settleMs);
      }),
    );
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const text = await this.#getText(uri);
    // What is past doesn't change any more, once the record is loaded.
    if (text === '' || readPast(uri.query) === undefined) {
      this.#shown.set(uri.toString(), text);
    }
    return text;
  }

  async #getText(uri: vscode.Uri): Promise<string> {
    const past = readPast(uri.query);
    if (past !== undefined) {
      const { agentId, sessionId, turn, side, file, form } = past;
      if (form !== undefined) {
        return uncompared(form);
      }
      const own = this.#reviews.of(agentId, sessionId);
      return (await own?.findText(turn, file, side)) ?? '';
    }
    const baseline = readBaseline(uri.query);
    const review = baseline && this.#reviews.of(baseline.agentId, baseline.sessionId);
    const file = baseline?.movedTo ?? getPath(uri);
    const text = baseline?.isCertain
      ? await review?.certainText(file)
      : await review?.baseline(file, baseline?.since);
    return text ?? '';
  }

  async #update(): Promise<void> {
    this.#timer = undefined;
    for (const [key, shown] of this.#shown) {
      const uri = vscode.Uri.parse(key, true);
      if ((await this.#getText(uri)) !== shown) {
        this.#changed.fire(uri);
      }
    }
  }
}

/** The document of a file without the pending changes of this session, or only those since a turn. */
export function baselineUri(
  { agentId, sessionId }: SessionReview,
  { file, movedFrom }: Pick<PendingFile, 'file' | 'movedFrom'>,
  since?: number,
): vscode.Uri {
  const baseline: Baseline = {
    ...{ agentId, sessionId },
    ...(since !== undefined && { since }),
    ...(movedFrom !== undefined && { movedTo: file }),
  };
  return inScheme(movedFrom ?? file, JSON.stringify(baseline));
}

/** The document of a file without what is uncertain in it. */
export function certainUri({ agentId, sessionId }: SessionReview, file: string): vscode.Uri {
  const baseline: Baseline = { agentId, sessionId, isCertain: true };
  return inScheme(file, JSON.stringify(baseline));
}

/** Whether a document is what decisions about pending changes are about. */
export function isBaseline({ scheme, query }: vscode.Uri): boolean {
  return scheme === baselineScheme && readBaseline(query)?.isCertain === undefined;
}

/** The document of a file as it was before or after a turn; of what isn't text, one that says so. */
export function pastUri(
  { agentId, sessionId }: SessionReview,
  turn: number,
  { file, movedFrom, form = 'text' }: PastFile,
  side: TurnSide,
): vscode.Uri {
  const past: PastState = {
    ...{ agentId, sessionId, turn, side, file },
    ...(form !== 'text' && { form }),
  };
  return inScheme(side === 'before' ? (movedFrom ?? file) : file, JSON.stringify(past));
}

type PastFile = Pick<TurnFile, 'file' | 'movedFrom'> & Partial<Pick<TurnFile, 'form'>>;

/** A document without text, in place of a file that isn't there. */
export function emptyUri(file: string): vscode.Uri {
  return inScheme(file, '');
}

/** The file whose changes an editor is about: its own, or that of the document beside it. */
export function reviewedFile(uri: vscode.Uri): string | undefined {
  if (uri.scheme === 'file') {
    return uri.fsPath;
  }
  return uri.scheme === baselineScheme && readPast(uri.query) === undefined
    ? (readBaseline(uri.query)?.movedTo ?? getPath(uri))
    : undefined;
}

/** What a document of this scheme shows, if that is a text. */
export function reviewedState(uri: vscode.Uri): ReviewedState | undefined {
  if (uri.scheme !== baselineScheme) {
    return undefined;
  }
  const past = readPast(uri.query);
  if (past !== undefined) {
    const { agentId, sessionId, file, side, form } = past;
    return form === undefined ? { session: { agentId, sessionId }, file, side } : undefined;
  }
  const baseline = readBaseline(uri.query);
  return (
    baseline && {
      session: { agentId: baseline.agentId, sessionId: baseline.sessionId },
      file: baseline.movedTo ?? getPath(uri),
      side: 'before',
    }
  );
}

function inScheme(file: string, query: string): vscode.Uri {
  return vscode.Uri.file(file).with({ scheme: baselineScheme, query });
}

function getPath({ path }: Pick<vscode.Uri, 'path'>): string {
  return vscode.Uri.file(path).fsPath;
}

function readPast(query: string): PastState | undefined {
  const { agentId, sessionId, turn, side, file, form } = readQuery(query);
  return typeof agentId === 'string' &&
    typeof sessionId === 'string' &&
    typeof turn === 'number' &&
    (side === 'before' || side === 'after') &&
    typeof file === 'string'
    ? { agentId, sessionId, turn, side, file, ...(isUncompared(form) && { form }) }
    : undefined;
}

function isUncompared(form: unknown): form is UncomparedForm {
  return form === 'binary' || form === 'tooLarge' || form === 'unkept';
}

function uncompared(form: UncomparedForm): string {
  switch (form) {
    case 'binary':
      return l10n.t('This turn changed this file. It isn’t text, so the change can’t be shown.');
    case 'tooLarge':
      return l10n.t('This turn changed this file. It is too large to show the change.');
    case 'unkept':
      return l10n.t('This turn changed this file. Its content wasn’t recorded.');
  }
}

function readBaseline(query: string): Baseline | undefined {
  const { agentId, sessionId, since, isCertain, movedTo } = readQuery(query);
  return typeof agentId === 'string' && typeof sessionId === 'string'
    ? {
        ...{ agentId, sessionId },
        ...(typeof since === 'number' && { since }),
        ...(isCertain === true && { isCertain }),
        ...(typeof movedTo === 'string' && { movedTo }),
      }
    : undefined;
}

function readQuery(query: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(query) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
