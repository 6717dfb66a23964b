import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NamedAgent } from '../../model/agents/whose';
import { getKey } from '../../model/list/sessionInfo';
import type { Log } from '../../model/ports';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { FixedFiles } from '../../platform/files/fixedFiles';
import { type Failure, failureText } from '../../shared/failure';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import {
  readTranscriptUri,
  transcriptScheme,
  transcriptTextScheme,
  transcriptTextUri,
} from '../../views/tabs/transcriptUri';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { SessionReaders } from './model/sessionReaders';
import { getMarkdown, getTextSource, type TextSource } from './model/sessionText';

/**
 * Maximum time for reading a session, in ms; a slower one must be opened as a transcript, which
 * shows partial results.
 */
const maxReadingMs = 60_000;
/** A tab's name has no ending from which VS Code could tell it. */
const markdown = 'markdown';
/** The minimum time between two updates of a text that is shown, in ms. */
const pause = 1000;

export interface TranscriptFileServices {
  readonly sessions: Pick<Sessions, 'find' | 'onDidChange'>;
  readonly admission: Admission;
  readonly readers: SessionReaders;
  readonly log: Log;
}

/** The text last written for a session. */
interface Written {
  readonly text: Buffer;
  readonly time: number;
}

/**
 * Transcripts as files of a read-only file system, so that VS Code can show them as texts and restore such tabs
 * after the window is reloaded. Tabs of transcripts aren't files, but can be reopened as texts, too. A text follows its session while that is open; afterward the last text stays as
 * long as it is shown. A session that isn't open is loaded to read its text.
 */
export class TranscriptFiles
  extends FixedFiles
  implements vscode.Disposable, vscode.FileSystemProvider
{
  readonly #services: TranscriptFileServices;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;
  readonly #reopenedChanged = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #written = new Map<string, Written>();
  /** Sessions with a transcript listener. */
  readonly #followed = new Map<Session, Disposable>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #lastTime = 0;

  constructor(services: TranscriptFileServices) {
    super();
    this.#services = services;
    const options = { isReadonly: true, isCaseSensitive: true };
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(transcriptTextScheme, this, options),
    );
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(transcriptScheme, {
        onDidChange: this.#reopenedChanged.event,
        provideTextDocumentContent: async (uri) => Buffer.from(await this.readFile(uri)).toString(),
      }),
    );
    this.#store.add(services.sessions.onDidChange((session) => this.#noteSession(session)));
    this.#store.add(
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (document.uri.scheme === transcriptScheme && document.languageId !== markdown) {
          void vscode.languages.setTextDocumentLanguage(document, markdown);
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const ref = readTranscriptUri(uri);
        if (ref !== undefined && this.#shown(ref).length === 0) {
          this.#written.delete(getKey(ref));
        }
      }),
    );
  }

  /**
   * Writes the current text of a session and returns its URI; the session of `source` may be closed
   * by now.
   */
  async add(agent: NamedAgent & { readonly id: string }, source: TextSource): Promise<vscode.Uri> {
    const { sessionId, cwd, title } = source.header;
    const ref = { agentId: agent.id, sessionId };
    const isOpen = this.#services.sessions.find(agent.id, sessionId) !== undefined;
    await this.#write(ref, source, isOpen);
    const named = transcriptTextUri({ ...ref, cwd, title }, agent);
    const uri = this.#shown(ref).find(({ scheme }) => scheme === transcriptTextScheme) ?? named;
    this.#tell([uri]);
    return uri;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, time } = this.#readWritten(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: time, size: text.length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const ref = refInUri(uri);
    const session = this.#services.sessions.find(ref.agentId, ref.sessionId);
    if (session !== undefined && isLoaded(session)) {
      this.#follow(session);
      await this.#write(ref, getTextSource(session), true);
    } else if (!this.#written.has(getKey(ref))) {
      await this.#read(uri, ref);
    }
    return this.#readWritten(uri).text;
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    for (const listening of this.#followed.values()) {
      listening.dispose();
    }
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#store.dispose();
  }

  /** Rejects with an error that VS Code shows in place of the text. */
  async #read(uri: vscode.Uri, ref: SessionRef): Promise<void> {
    const admitted = this.#services.admission.admit(uri);
    if (admitted.kind === 'none') {
      throw unavailable(admitted.failure);
    }
    const { agent, info } = admitted;
    const signal = AbortSignal.timeout(maxReadingMs);
    try {
      await this.#services.readers.read(agent, info, signal, async (session, isBorrowed) => {
        if (session.phase.kind === 'failed' && !session.shown.isCached) {
          throw unavailable(session.phase.failure);
        }
        await this.#write(ref, getTextSource(session), !isBorrowed);
      });
    } catch (error) {
      throw signal.aborted ? unavailable(tooSlow(agent.title)) : error;
    }
  }

  #noteSession(session: Session): void {
    const ref = getRef(session);
    const { agentId, sessionId } = ref;
    const isOpen = this.#services.sessions.find(agentId, sessionId) === session;
    if (!isOpen) {
      this.#followed.get(session)?.dispose();
      this.#followed.delete(session);
    }
    if (this.#shown(ref).length > 0) {
      if (isOpen) {
        this.#follow(session);
      }
      this.#tellSoon(ref);
    }
  }

  /** Follows a session until it is closed. */
  #follow(session: Session): void {
    if (!this.#followed.has(session)) {
      const ref = getRef(session);
      const listening = new DisposableStore();
      listening.add(session.shown.onDidChange(() => this.#tellSoon(ref)));
      listening.add(session.shown.onDidChangeNested(() => this.#tellSoon(ref)));
      this.#followed.set(session, listening);
    }
  }

  #tellSoon(ref: SessionRef): void {
    const key = getKey(ref);
    if (!this.#timers.has(key)) {
      const timer = setTimeout(() => {
        this.#timers.delete(key);
        this.#refresh(ref).catch((error: unknown) => this.#services.log.error(getStack(error)));
      }, pause);
      this.#timers.set(key, timer);
    }
  }

  async #refresh(ref: SessionRef): Promise<void> {
    const shown = this.#shown(ref);
    if (shown.length === 0) {
      return;
    }
    const { agentId, sessionId } = ref;
    const session = this.#services.sessions.find(agentId, sessionId);
    const before = this.#written.get(getKey(ref));
    if (session === undefined) {
      // The last text stays, with a note that the session is closed.
      if (before !== undefined && !isClosed(before)) {
        this.#put(ref, Buffer.concat([closedNote, before.text]));
      }
    } else if (isLoaded(session)) {
      await this.#write(ref, getTextSource(session), true);
    }
    this.#tell(shown);
  }

  async #write(ref: SessionRef, source: TextSource, isOpen: boolean): Promise<void> {
    const pieces = await getMarkdown(source);
    const parts = pieces.map((piece) => Buffer.from(piece));
    this.#put(ref, Buffer.concat(isOpen ? parts : [closedNote, ...parts]));
  }

  /** Updates the modification time only if the text differs. */
  #put(ref: SessionRef, text: Buffer): void {
    const key = getKey(ref);
    const before = this.#written.get(key);
    if (before === undefined || !before.text.equals(text)) {
      this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
      this.#written.set(key, { text, time: this.#lastTime });
    }
  }

  #tell(uris: readonly vscode.Uri[]): void {
    const isFile = ({ scheme }: vscode.Uri): boolean => scheme === transcriptTextScheme;
    const files = uris.filter(isFile);
    this.#changed.fire(files.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
    for (const uri of uris.filter((uri) => !isFile(uri))) {
      this.#reopenedChanged.fire(uri);
    }
  }

  /** The files of a session that are open in editors. */
  #shown(ref: SessionRef): readonly vscode.Uri[] {
    const key = getKey(ref);
    return vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter((uri) => {
        const named = readTranscriptUri(uri);
        return named !== undefined && getKey(named) === key;
      });
  }

  #readWritten(uri: vscode.Uri): Written {
    const ref = refInUri(uri);
    return this.#written.get(getKey(ref)) ?? { text: Buffer.of(), time: 1 };
  }
}

const closedNote = Buffer.from(
  l10n.t(
    '*This session is closed; this is its last text. Open it in the ACP Sessions view to continue.*\n\n',
  ),
);

function isClosed({ text }: Written): boolean {
  return text.subarray(0, closedNote.length).equals(closedNote);
}

function isLoaded({ phase }: Session): boolean {
  return phase.kind !== 'loading';
}

function refInUri(uri: vscode.Uri): SessionRef {
  const ref = readTranscriptUri(uri);
  if (ref === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return ref;
}

function unavailable(failure: Pick<Failure, 'title' | 'detail'>): Error {
  return vscode.FileSystemError.Unavailable(failureText(failure));
}

function tooSlow(agentTitle: string): Pick<Failure, 'title' | 'detail'> {
  return {
    title: l10n.t('The session could not be read in time'),
    detail: l10n.t(
      '{0} is still sending it. Open it in the ACP Sessions view first.',
      cleanText(agentTitle, 60),
    ),
  };
}
