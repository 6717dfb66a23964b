import type { DrawnEntry } from '../../../../src/shared/drawn';
import type { Entry } from '../../../../src/shared/entries';
import type {
  FileSuggestion,
  FromWebview,
  Header,
  Phase,
  SessionState,
  ToWebview,
} from '../../../../src/shared/messages';
import { parseFromWebview } from '../../../../src/shared/validators';
import { drawEntry } from '../../../../src/views/transcript/draw';
import { type FeedSource, TranscriptFeed } from '../../../../src/views/transcript/feed';
import { findEntries, seekEntry } from '../../../../src/views/transcript/find';

const cwd = '/home/ann/shop';

/** The host's side of a transcript, as the extension has it, without VS Code and without an agent. */
export class TranscriptHost implements FeedSource {
  header: Header = { title: 'Fix the checkout', agentTitle: 'Claude', cwd };
  phase: Phase = { kind: 'ready' };
  session: SessionState = {
    writable: { kind: 'yes' },
    turn: { kind: 'idle' },
    queue: [],
    commands: [],
    configOptions: [],
    takesImages: true,
    changedFiles: [],
    waiting: [],
  };
  entries: Entry[] = [];
  /** What `searchFiles` looks through. */
  files: readonly FileSuggestion[] = [];
  /** All that the webview asked for. */
  readonly intents: FromWebview[] = [];
  /** What it said that no host would understand. */
  readonly refused: unknown[] = [];
  #post: (message: ToWebview) => Promise<void> = () => Promise.resolve();
  /** Texts of messages that name files. */
  readonly mentioned = new Set<string>();
  readonly #feed: TranscriptFeed;

  constructor() {
    this.#feed = new TranscriptFeed(this, (message) => this.#post(message));
  }

  draw(entry: Entry): DrawnEntry {
    return drawEntry(entry, cwd);
  }

  connect(post: (message: ToWebview) => Promise<void>): void {
    this.#post = post;
  }

  /** Says something out of turn. */
  send(message: ToWebview): Promise<void> {
    return this.#post(message);
  }

  append(...entries: readonly Entry[]): void {
    const from = this.entries.length;
    this.entries.push(...entries);
    this.#feed.note({ type: 'appended', from, to: this.entries.length });
  }

  replace(index: number, entry: Entry): void {
    this.entries[index] = entry;
    this.#feed.note({ type: 'updated', index });
  }

  reset(entries: Entry[]): void {
    this.entries = entries;
    this.#feed.note({ type: 'reset' });
  }

  setPhase(phase: Phase): void {
    this.phase = phase;
    this.#feed.update();
  }

  setHeader(header: Partial<Header>): void {
    this.header = { ...this.header, ...header };
    this.#feed.update();
  }

  setSession(session: Partial<SessionState>): void {
    this.session = { ...this.session, ...session };
    this.#feed.noteState();
  }

  intentsOf<Type extends FromWebview['type']>(type: Type): Extract<FromWebview, { type: Type }>[] {
    return this.intents.filter(
      (intent): intent is Extract<FromWebview, { type: Type }> => intent.type === type,
    );
  }

  async receive(value: unknown): Promise<void> {
    const intent = parseFromWebview(value);
    if (!intent) {
      this.refused.push(value);
      return;
    }
    this.intents.push(intent);
    switch (intent.type) {
      case 'ready':
        this.#feed.start();
        return;
      case 'resync':
        this.#feed.snapshot();
        return;
      case 'window':
        this.#feed.want(intent);
        return;
      case 'find':
        await this.#find(intent);
        return;
      case 'seek':
        await this.#seek(intent);
        return;
      case 'findFiles':
        await this.send({
          type: 'foundFiles',
          texts: intent.texts.filter((text) => this.mentioned.has(text)),
        });
        return;
      case 'searchFiles':
        await this.#searchFiles(intent);
        return;
      default:
    }
  }

  dispose(): void {
    this.#feed.dispose();
  }

  async #find(intent: Extract<FromWebview, { type: 'find' }>): Promise<void> {
    const { query, text, matchCase } = intent;
    const found = await findEntries(this.entries, text, matchCase, new AbortController().signal);
    if (found) {
      await this.#post({ type: 'found', query, ...found });
    }
  }

  async #searchFiles({
    query,
    text,
  }: Extract<FromWebview, { type: 'searchFiles' }>): Promise<void> {
    const files = this.files.filter(({ name }) => name.includes(text));
    await this.#post({ type: 'files', query, files });
  }

  async #seek({ target, direction, from }: Extract<FromWebview, { type: 'seek' }>): Promise<void> {
    const index = seekEntry(this.entries, target, direction, from);
    if (index !== undefined) {
      await this.#post({ type: 'reveal', index });
    }
  }
}
