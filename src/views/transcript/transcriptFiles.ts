import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileNameOf } from '../../model/fileName';
import type { Log } from '../../model/ports';
import type { Session } from '../../model/session';
import { sessionKey } from '../../model/sessionInfo';
import type { Sessions } from '../../model/sessions';
import { DisposableStore } from '../../util/disposable';
import { asArray } from '../../util/json';
import { markdownOf, type TextSource, textSourceOf } from './sessionText';

const transcriptScheme = 'acp-transcript';
/** A text that is shown is written anew at most this often, in ms. */
const pause = 1000;

/** Which session a text is of. */
interface Identity {
  readonly agentId: string;
  readonly sessionId: string;
}

/** What was written last for a session. */
interface Written {
  readonly text: Buffer;
  readonly time: number;
}

/**
 * Transcripts as files that can't be changed, of a file system of our own: that way VS Code brings their
 * tabs back after a reload of the window. A text follows its session while that is open; after it, the
 * last one stays for as long as it is shown.
 */
export class TranscriptFiles implements vscode.Disposable, vscode.FileSystemProvider {
  readonly #sessions: Pick<Sessions, 'find' | 'onDidChange'>;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;
  readonly #written = new Map<string, Written>();
  /** Sessions whose changes are listened to. */
  readonly #followed = new WeakSet<Session>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #lastTime = 0;

  constructor(sessions: Pick<Sessions, 'find' | 'onDidChange'>, log: Log) {
    this.#sessions = sessions;
    this.#log = log;
    const options = { isReadonly: true, isCaseSensitive: true };
    this.#store.add(vscode.workspace.registerFileSystemProvider(transcriptScheme, this, options));
    this.#store.add(sessions.onDidChange((session) => this.#noteSession(session)));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const identity = identityOf(uri);
        if (identity !== undefined && this.#shown(identity).length === 0) {
          this.#written.delete(keyOf(identity));
        }
      }),
    );
  }

  /** The file of a session with what is in it now; `source` need not be open any longer. */
  async add(agentId: string, source: TextSource): Promise<vscode.Uri> {
    const identity = { agentId, sessionId: source.header.sessionId };
    const isOpen = this.#sessions.find(agentId, identity.sessionId) !== undefined;
    await this.#write(identity, source, isOpen);
    const [shown] = this.#shown(identity);
    const uri = shown ?? uriOf(identity, source.header.title);
    this.#tell([uri]);
    return uri;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, time } = this.#writtenOf(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: time, size: text.length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const identity = mustIdentify(uri);
    const session = this.#sessions.find(identity.agentId, identity.sessionId);
    if (session !== undefined && isLoaded(session)) {
      this.#follow(session);
      await this.#write(identity, textSourceOf(session), true);
    }
    return this.#writtenOf(uri).text;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#store.dispose();
  }

  #noteSession(session: Session): void {
    const identity = { agentId: session.agent.id, sessionId: session.info.sessionId };
    if (this.#shown(identity).length > 0) {
      this.#follow(session);
      this.#tellSoon(identity);
    }
  }

  #follow(session: Session): void {
    if (!this.#followed.has(session)) {
      this.#followed.add(session);
      const identity = { agentId: session.agent.id, sessionId: session.info.sessionId };
      session.transcript.onDidChange(() => this.#tellSoon(identity));
    }
  }

  #tellSoon(identity: Identity): void {
    const key = keyOf(identity);
    if (!this.#timers.has(key)) {
      const timer = setTimeout(() => {
        this.#timers.delete(key);
        this.#refresh(identity).catch((error: unknown) => this.#log.error(String(error)));
      }, pause);
      this.#timers.set(key, timer);
    }
  }

  async #refresh(identity: Identity): Promise<void> {
    const shown = this.#shown(identity);
    if (shown.length === 0) {
      return;
    }
    const { agentId, sessionId } = identity;
    const session = this.#sessions.find(agentId, sessionId);
    const before = this.#written.get(keyOf(identity));
    if (session === undefined) {
      // The last text stays, and says so.
      if (before !== undefined && !isClosed(before)) {
        this.#put(identity, Buffer.concat([closedNote, before.text]));
      }
    } else if (isLoaded(session)) {
      await this.#write(identity, textSourceOf(session), true);
    }
    this.#tell(shown);
  }

  async #write(identity: Identity, source: TextSource, isOpen: boolean): Promise<void> {
    const pieces = await markdownOf(source);
    const parts = pieces.map((piece) => Buffer.from(piece));
    this.#put(identity, Buffer.concat(isOpen ? parts : [closedNote, ...parts]));
  }

  /** Only what is different is newer. */
  #put(identity: Identity, text: Buffer): void {
    const key = keyOf(identity);
    const before = this.#written.get(key);
    if (before === undefined || !before.text.equals(text)) {
      this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
      this.#written.set(key, { text, time: this.#lastTime });
    }
  }

  #tell(uris: readonly vscode.Uri[]): void {
    this.#changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  /** The files of a session that an editor has open. */
  #shown(identity: Identity): readonly vscode.Uri[] {
    const folder = folderOf(identity);
    return vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter((uri) => uri.scheme === transcriptScheme && uri.path.startsWith(folder));
  }

  #writtenOf(uri: vscode.Uri): Written {
    const identity = mustIdentify(uri);
    return this.#written.get(keyOf(identity)) ?? { text: Buffer.from(notOpen), time: 1 };
  }
}

const closedNote = Buffer.from(
  l10n.t(
    '*This session is closed. Below is how it stood. Open it in the Sessions view, and its text goes on here.*\n\n',
  ),
);
const notOpen = l10n.t(
  '*This session is not open. Open it in the Sessions view, and its text appears here.*\n',
);

function isClosed({ text }: Written): boolean {
  return text.subarray(0, closedNote.length).equals(closedNote);
}

function isLoaded({ phase }: Session): boolean {
  return phase.kind !== 'loading';
}

function keyOf({ agentId, sessionId }: Identity): string {
  return sessionKey(agentId, sessionId);
}

/** Ids may contain anything; the folder's name holds both. */
function folderOf({ agentId, sessionId }: Identity): string {
  return `/${Buffer.from(JSON.stringify([agentId, sessionId])).toString('base64url')}/`;
}

function uriOf(identity: Identity, title: string): vscode.Uri {
  const path = `${folderOf(identity)}${fileNameOf(title, '.md')}`;
  return vscode.Uri.from({ scheme: transcriptScheme, path });
}

function identityOf({ scheme, path }: vscode.Uri): Identity | undefined {
  const [, folder = '', name, ...rest] = path.split('/');
  if (scheme !== transcriptScheme || name === undefined || rest.length > 0) {
    return undefined;
  }
  const ids = parseJson(Buffer.from(folder, 'base64url').toString());
  const [agentId, sessionId] = asArray(ids);
  return typeof agentId === 'string' && typeof sessionId === 'string'
    ? { agentId, sessionId }
    : undefined;
}

function mustIdentify(uri: vscode.Uri): Identity {
  const identity = identityOf(uri);
  if (identity === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return identity;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
