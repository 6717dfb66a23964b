import type { Connection, Diagnostic } from 'vscode-languageserver/node';
import { promptSource } from '../../../shared/prompt/promptProtocol';
import type { Disposable } from '../../../util/disposable';
import { type OpenDocuments, type OpenPrompts, type Prompt, unreadable } from './openPrompts';
import type { PromptFinding } from './promptFinding';
import { getFindings, unreadableFinding } from './promptFindings';

/** Debounce of checks while typing, in milliseconds. */
const pause = 100;
/** Maximum diagnostics per prompt. */
const most = 500;

interface Waiting {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly isUrgent: boolean;
}

/** Publishes diagnostics for the open prompts shortly after they change. */
export class Diagnostics implements Disposable {
  readonly #connection: Connection;
  readonly #documents: OpenDocuments;
  readonly #prompts: OpenPrompts;
  readonly #waiting = new Map<string, Waiting>();
  /** Number of the latest check per document: results of older checks are dropped. */
  readonly #newest = new Map<string, number>();
  #count = 0;

  constructor(connection: Connection, documents: OpenDocuments, prompts: OpenPrompts) {
    this.#connection = connection;
    this.#documents = documents;
    this.#prompts = prompts;
  }

  /** Schedules a check while the document is being edited. */
  soon(uri: string): void {
    if (this.#waiting.get(uri)?.isUrgent !== true) {
      this.#schedule(uri, pause);
    }
  }

  /**
   * Diagnostics immediately: the document was opened, or something else that the check depends on has
   * changed.
   */
  now(uri: string): void {
    this.#schedule(uri, 0);
  }

  allNow(): void {
    for (const uri of this.#documents.keys()) {
      this.now(uri);
    }
  }

  /** Cancels a scheduled check and clears the document's diagnostics. */
  forget(uri: string): void {
    clearTimeout(this.#waiting.get(uri)?.timer);
    this.#waiting.delete(uri);
    this.#newest.delete(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  dispose(): void {
    for (const { timer } of this.#waiting.values()) {
      clearTimeout(timer);
    }
    this.#waiting.clear();
  }

  #schedule(uri: string, wait: number): void {
    clearTimeout(this.#waiting.get(uri)?.timer);
    const timer = setTimeout(() => {
      this.#waiting.delete(uri);
      void this.#check(uri);
    }, wait);
    this.#waiting.set(uri, { timer, isUrgent: wait === 0 });
  }

  async #check(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    if (!document) {
      return;
    }
    const check = ++this.#count;
    this.#newest.set(uri, check);
    const { version } = document;
    const prompt = this.#prompts.get(uri);
    const reason = unreadable(document);
    const unread = reason === undefined ? [] : [unreadableFinding(reason)];
    const findings = prompt ? await getFindings(prompt) : unread;
    if (this.#newest.get(uri) === check && document.version === version) {
      const diagnostics = findings
        .slice(0, most)
        .map((finding) => getDiagnostic(finding, document));
      void this.#connection.sendDiagnostics({ uri, version, diagnostics });
    }
  }
}

export function getDiagnostic(
  { code, severity, start, end, message }: PromptFinding,
  document: Prompt['document'],
): Diagnostic {
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  return { range, severity, code, source: promptSource, message };
}
