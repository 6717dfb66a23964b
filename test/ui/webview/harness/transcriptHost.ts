import type { Transcript } from '../../../../src/model/transcript/transcript';
import type { DrawnEntry } from '../../../../src/shared/transcript/drawn';
import type { Entry, TranscriptChange } from '../../../../src/shared/transcript/entries';
import { type Draft, emptyDraft } from '../../../../src/shared/transcript/prompt';
import type {
  Asked,
  ContextSuggestion,
  FileSuggestion,
  QuestionKind,
  Questions,
  Reply,
} from '../../../../src/shared/transcript/questions';
import { parseFromWebview } from '../../../../src/shared/transcript/validators';
import type {
  FromWebview,
  Header,
  Phase,
  SessionState,
  ToWebview,
} from '../../../../src/shared/transcript/webviewMessages';
import type { Effort } from '../../../../src/util/effort';
import { type FeedSource, TranscriptFeed } from '../../../../src/views/transcript/feed/feed';
import { OutlineFeed } from '../../../../src/views/transcript/feed/outlineFeed';
import { TranscriptSearch } from '../../../../src/views/transcript/find/transcriptSearch';
import { drawRow } from '../../../../src/views/transcript/rows/draw';

const cwd = '/project/shop';

/** The host's side of a transcript, as in the extension, without VS Code and without an agent. */
export class TranscriptHost implements FeedSource {
  header: Header = { title: 'Fix the checkout', agentTitle: 'Claude', folder: cwd, cwd };
  phase: Phase = { kind: 'ready' };
  session: SessionState = {
    writable: { kind: 'yes' },
    turn: { kind: 'idle' },
    queue: [],
    canSteer: false,
    commands: [],
    configOptions: [],
    takesImages: true,
    changedFiles: [],
    savedPrompts: [],
    waiting: [],
  };
  entries: Entry[] = [];
  #transcript: Transcript | undefined;
  /** The files that `searchMentions` searches. */
  files: readonly FileSuggestion[] = [];
  /** What else `searchMentions` searches. */
  contexts: readonly ContextSuggestion[] = [];
  /** The current draft, as the page last sent it or was sent it. */
  draft: Draft = emptyDraft;
  /** All valid messages from the webview. */
  readonly intents: FromWebview[] = [];
  /** Messages from the webview that failed validation. */
  readonly refused: unknown[] = [];
  #post: (message: ToWebview) => Promise<void> = () => Promise.resolve();
  #settle: () => Promise<void> = () => Promise.resolve();
  /** Texts of messages that mention files. */
  readonly mentioned = new Set<string>();
  readonly #feed: TranscriptFeed;
  readonly #search = new TranscriptSearch(
    () => this.entries,
    (message) => void this.#post(message),
  );
  readonly #outline: OutlineFeed;

  constructor() {
    this.#feed = new TranscriptFeed(this, (message) => this.#post(message));
    this.#outline = new OutlineFeed(
      () => this.entries,
      (message) => this.#post(message),
    );
  }

  draw(entry: Entry, effort: Effort): DrawnEntry {
    return drawRow(entry, cwd, effort, (error) => {
      throw error;
    });
  }

  /** `settle` resolves when the page has worked off what was done in it, and its intents have come here. */
  connect(post: (message: ToWebview) => Promise<void>, settle: () => Promise<void>): void {
    this.#post = post;
    this.#settle = settle;
  }

  /** Sends the snapshot ahead to a page that is still loading. */
  sendAhead(): void {
    this.#feed.stop();
    this.#feed.sendAhead();
  }

  /** Sends an unsolicited message. */
  send(message: ToWebview): Promise<void> {
    return this.#post(message);
  }

  /** Answers a question of the page. */
  reply<Kind extends QuestionKind>(
    { id, type: to }: Asked<Kind>,
    value: Questions[Kind]['reply'],
  ): Promise<void> {
    return this.#post({ type: 'reply', id, to, value } as Reply);
  }

  append(...entries: readonly Entry[]): void {
    const from = this.entries.length;
    this.entries.push(...entries);
    this.#note({ type: 'appended', from, to: this.entries.length });
  }

  replace(index: number, entry: Entry): void {
    this.entries[index] = entry;
    this.#note({ type: 'updated', index });
  }

  reset(entries: Entry[]): void {
    this.entries = entries;
    this.#note({ type: 'reset' });
  }

  /** Shows a transcript with subagents, and what comes in from now on. */
  show(transcript: Transcript): void {
    this.#transcript = transcript;
    this.reset(transcript.entries as Entry[]);
    transcript.onDidChange((change) => this.#note(change));
    transcript.onDidChangeNested((nested) => this.#feed.noteNested(nested));
  }

  nested(number: number): readonly Entry[] {
    return this.#transcript?.getEntries(number) ?? [];
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

  /** All intents of a kind that what was done in the page so far leads to. */
  async sent<Type extends FromWebview['type']>(
    type: Type,
  ): Promise<Extract<FromWebview, { type: Type }>[]> {
    await this.#settle();
    return this.intentsOf(type);
  }

  /** The intents of a type that have come. */
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
        this.#outline.start();
        await this.send({ type: 'draft', draft: this.draft, left: 0 });
        return;
      case 'draft':
        this.draft = { ...this.draft, ...intent.draft };
        return;
      case 'resync':
        this.#feed.snapshot();
        return;
      case 'window':
        this.#feed.want(intent);
        this.#outline.want(intent);
        return;
      case 'unfold':
        this.#feed.unfold(intent.number, intent.rows);
        return;
      case 'showRow':
        this.#feed.ask(intent.index);
        return;
      case 'find':
        this.#search.start(intent);
        return;
      case 'mark':
        await this.reply(intent, this.#search.mark(intent.query, intent.rows));
        return;
      case 'seek':
        await this.#seek(intent);
        return;
      case 'findFiles':
        await this.reply(
          intent,
          intent.texts.filter((text) => this.mentioned.has(text)),
        );
        return;
      case 'searchMentions':
        await this.reply(intent, [
          ...this.contexts.filter(({ mention }) => mention.startsWith(`@${intent.text}`)),
          ...this.files.filter(({ name }) => name.includes(intent.text)),
        ]);
        return;
      default:
    }
  }

  #note(change: TranscriptChange): void {
    this.#outline.note(change);
    this.#feed.note(change);
    this.#search.note(change);
  }

  dispose(): void {
    this.#feed.dispose();
    this.#search.dispose();
    this.#outline.dispose();
  }

  async #seek({ target, direction, from }: Extract<FromWebview, { type: 'seek' }>): Promise<void> {
    const index = this.#outline.outline.seek(target, direction, from);
    if (index !== undefined) {
      await this.#post({ type: 'reveal', index });
    }
  }
}
