import * as vscode from 'vscode';
import type { Reviews, SessionReview } from '../../model/review/review';
import { type Disposable, DisposableStore, toDisposable } from '../../util/disposable';

export const baselineScheme = 'acp-review';
/** Several steps of a record that come together are shown together. */
const settleMs = 100;

/** Which state of a file a document has. */
interface Baseline {
  readonly agentId: string;
  readonly sessionId: string;
  /** Without the changes of this turn and later ones. */
  readonly since?: number;
}

/**
 * The files without the changes that wait for review, as read-only documents under the paths of the files. They
 * follow the record.
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
    const text = await this.#textOf(uri);
    this.#shown.set(uri.toString(), text);
    return text;
  }

  async #textOf(uri: vscode.Uri): Promise<string> {
    const baseline = readBaseline(uri.query);
    const review = baseline && this.#reviews.of(baseline.agentId, baseline.sessionId);
    const file = vscode.Uri.file(uri.path).fsPath;
    return (await review?.baseline(file, baseline?.since)) ?? '';
  }

  async #update(): Promise<void> {
    this.#timer = undefined;
    for (const [key, shown] of this.#shown) {
      const uri = vscode.Uri.parse(key, true);
      if ((await this.#textOf(uri)) !== shown) {
        this.#changed.fire(uri);
      }
    }
  }
}

/** The document of a file without the pending changes of this session, or only those since a turn. */
export function baselineUri(
  { agentId, sessionId }: SessionReview,
  file: string,
  since?: number,
): vscode.Uri {
  const baseline: Baseline = { agentId, sessionId, ...(since !== undefined && { since }) };
  return vscode.Uri.file(file).with({ scheme: baselineScheme, query: JSON.stringify(baseline) });
}

/** A document without text, in place of a file that isn't there. */
export function emptyUri(file: string): vscode.Uri {
  return vscode.Uri.file(file).with({ scheme: baselineScheme, query: '' });
}

function readBaseline(query: string): Baseline | undefined {
  try {
    const { agentId, sessionId, since } = JSON.parse(query) as Record<string, unknown>;
    return typeof agentId === 'string' && typeof sessionId === 'string'
      ? { agentId, sessionId, ...(typeof since === 'number' && { since }) }
      : undefined;
  } catch {
    return undefined;
  }
}
