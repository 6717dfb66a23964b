import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { FormErrors } from '../../shared/requests/agentQuestions';
import type { ShownBranches } from '../../shared/transcript/branches';
import type { DrawnEntry } from '../../shared/transcript/drawn';
import type { Direction, Landmark } from '../../shared/transcript/outline';
import { indexAt, numberAt } from '../../shared/transcript/places';
import type { Question } from '../../shared/transcript/questions';
import type { SavedFolds } from '../../shared/transcript/savedFolds';
import type {
  Change,
  FromWebview,
  Header,
  Phase,
  SessionState,
  ToWebview,
} from '../../shared/transcript/webviewMessages';
import { assertNever } from '../../util/assertNever';
import { StopKey } from '../keys/stopKey';
import { Folds } from '../rows/folds';
import { findShape, groupRows, type RowShape, Rows } from '../rows/rows';
import { type RowWindow, windowRange } from '../rows/rowWindow';
import { type Ask, Asking } from './asking';
import { FormDrafts } from './formDrafts';
import { keepEqual } from './keepEqual';
import { Mentions } from './mentions';
import { OutlineState } from './outlineState';
import { ReviewState } from './reviewState';

/** Rows kept beyond the window, so that scrolling back a little draws immediately. */
const slack = 30;
/** Maximum notices shown at a time; the oldest are dropped. */
const maxNotices = 3;

const noForks: ShownBranches['forks'] = [];

export interface Reveal {
  readonly index: number;
  /** `match`: centered, with its folds open. `entry`: at the top, with the focus. */
  readonly as: 'entry' | 'match';
  /** Words to highlight there; the entry's folds are opened to show them. */
  readonly words?: readonly string[];
}

/** A message from the agent to the user, shown until it is dismissed (NO-3). */
export interface ShownNotice {
  readonly id: number;
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
}

/** What is about the transcript. */
export type StateMessage = Extract<
  ToWebview,
  {
    type:
      | 'snapshot'
      | 'patch'
      | 'outline'
      | 'fold'
      | 'preview'
      | 'go'
      | 'reveal'
      | 'notice'
      | 'reply';
  }
>;

/**
 * The webview's state of a transcript: a window of entries and some metadata. The host is the
 * source of truth; everything here can be dropped and requested again.
 */
export class TranscriptState {
  readonly header = signal<Header | undefined>(undefined);
  readonly agentTitle = computed(() => this.header.value?.agentTitle ?? l10n.t('Agent'));
  readonly phase = signal<Phase | undefined>(undefined);
  /** Unchanged parts keep their identity from one message to the next. */
  readonly session = signal<SessionState | undefined>(undefined);
  /** Oldest first. */
  readonly notices = signal<readonly ShownNotice[]>([]);
  /** Errors of a submitted form, by the request's id (EL-6). */
  readonly formErrors = signal<ReadonlyMap<number, FormErrors>>(new Map());
  readonly count = signal(0);
  /** Whether the newest entry is kept in view as entries arrive. */
  readonly follow = signal(true);
  /** Whether the end of the newest entry is on screen, followed or not. */
  readonly atEnd = signal(true);
  /** The latest scroll request; each request is a new object. */
  readonly reveal = signal<Reveal | undefined>(undefined);
  readonly folds: Folds;
  readonly outline = new OutlineState();
  readonly forms = new FormDrafts();
  readonly stopKey = new StopKey();
  /** The entry being previewed while the user picks one; `back` returns to where the preview began. */
  readonly preview = signal<number | 'back' | undefined>(undefined);
  /** The row with the keyboard focus. */
  readonly active = signal<number | undefined>(undefined);
  /** Rows on screen; `last` is inclusive. */
  visible: { readonly first: number; readonly last: number } = { first: 0, last: 0 };

  /** Index of the request to answer next, while its card is on screen. */
  readonly seenRequest = signal<number | undefined>(undefined);
  /** Index of a pending request that the user skipped by jumping to the newest entry. */
  readonly passedRequest = signal<number | undefined>(undefined);

  readonly #seen = signal(0);
  /** Number of entries below everything that has been on screen. */
  readonly unseen: ReadonlySignal<number> = computed(() =>
    this.follow.value ? 0 : Math.max(0, this.count.value - this.#seen.value),
  );

  readonly mentions: Mentions;
  /** Which row each entry is drawn in. */
  readonly rows: Rows;
  readonly review: ReviewState;
  /** Shapes of the held entries. */
  readonly #shapes = new Map<number, RowShape>();
  /** Wraps `#shapes` in a new object whenever one of them changes. */
  readonly #shaped = signal<{ readonly shapes: ReadonlyMap<number, RowShape> }>({
    shapes: this.#shapes,
  });
  /** The entries by place, see `placeIn`. */
  readonly #entries = new Map<number, Signal<DrawnEntry | undefined>>();
  /** How many of their last rows the host sends of unfolded subagents, by number. */
  readonly #unfolded = new Map<number, number>();
  /** How many entries subagents have, by number. */
  readonly #lengths = new Map<number, number>();
  readonly #post: (message: FromWebview) => void;
  readonly #asking: Asking;
  #window: RowWindow | undefined;
  #revision: number | undefined;
  #awaitingSnapshot = false;
  #lastNotice = 0;

  constructor(post: (message: FromWebview) => void, folds?: SavedFolds) {
    this.#post = post;
    this.#asking = new Asking(post);
    this.mentions = new Mentions(this.ask);
    this.folds = new Folds(folds);
    const sought = computed(() => {
      const preview = this.preview.value;
      return typeof preview === 'number' ? preview : this.reveal.value?.index;
    });
    const groups = computed(() => groupRows(this.#shaped.value.shapes));
    this.rows = new Rows(groups, this.folds, sought, () => {
      this.reveal.value = undefined;
    });
    const review = computed(() => this.session.value?.review);
    this.review = new ReviewState(review, (index) => this.rows.getRow(index));
  }

  get ask(): Ask {
    return this.#asking.ask;
  }

  get window(): RowWindow | undefined {
    return this.#window;
  }

  /** Number of held rows, for diagnostics. */
  get held(): number {
    return this.#entries.size;
  }

  /** The entry, or `undefined` while it isn't held. The signal is valid until the row leaves the window. */
  entry(index: number): ReadonlySignal<DrawnEntry | undefined> {
    return this.#entry(index);
  }

  /**
   * Handles the host's messages about the transcript; those for find and the composer are handled
   * elsewhere.
   */
  receive(message: StateMessage): void {
    batch(() => {
      switch (message.type) {
        case 'snapshot':
          this.#takeSnapshot(message);
          return;
        case 'patch':
          this.#takePatch(message);
          return;
        case 'outline':
          this.outline.receive(message);
          return;
        case 'fold':
          this.folds.setAll(message.kind, message.open);
          return;
        case 'preview':
          this.reveal.value = undefined;
          this.preview.value = message.index ?? 'back';
          return;
        case 'go':
          this.seek(message.target, message.direction);
          return;
        case 'reveal':
          this.show(message.index, 'entry', message.words);
          return;
        case 'notice':
          this.#takeNotice(message);
          return;
        case 'reply':
          this.#asking.receive(message);
          return;
        default:
          assertNever(message);
      }
    });
  }

  /** Whether another session can begin before this entry: only where a turn begins. */
  isBranchable(index: number): boolean {
    return (
      this.session.value?.branches !== undefined && this.outline.findTurn(index)?.index === index
    );
  }

  /** The sessions that were forked before this prompt. The same list as long as there are none. */
  forksAt(index: number): ShownBranches['forks'] {
    const forks = this.session.value?.branches?.forks ?? noForks;
    return forks.some((fork) => fork.index === index)
      ? forks.filter((fork) => fork.index === index)
      : noForks;
  }

  setFormErrors(requestId: number, errors: FormErrors): void {
    this.formErrors.value = new Map(this.formErrors.peek()).set(requestId, errors);
  }

  /** Clears a field's error when the user edits the field. */
  forgetFormError(requestId: number, name: string): void {
    const errors = Object.entries(this.formErrors.peek().get(requestId) ?? {});
    const others = Object.fromEntries(errors.filter(([other]) => other !== name));
    this.setFormErrors(requestId, others);
  }

  /** Sends the user's answer to an agent, and takes what is wrong with it; resolves to whether the host could reply. */
  async answer(ask: Ask, answer: Question<'answerElicitation'>): Promise<boolean> {
    try {
      const errors = await ask(answer);
      if (errors !== undefined) {
        this.setFormErrors(answer.requestId, errors);
      }
      return true;
    } catch (error) {
      this.#takeNotice({ severity: 'error', title: (error as Error).message });
      return false;
    }
  }

  dismissNotice(id: number): void {
    this.notices.value = this.notices.peek().filter((notice) => notice.id !== id);
  }

  /** Requests these rows from the host and drops those far outside of them. */
  setWindow(window: RowWindow): void {
    this.#window = window;
    this.#post({ type: 'window', ...window });
    batch(() => this.#trim());
  }

  /** How many of a subagent's last rows are here, or on their way. */
  unfoldedRows(number: number): number {
    return this.#unfolded.get(number) ?? 0;
  }

  /** Requests the last rows of a subagent from the host; with 0, the host sends them no more. */
  unfold(number: number, rows: number): void {
    if (rows !== this.unfoldedRows(number)) {
      if (rows === 0) {
        this.#unfolded.delete(number);
      } else {
        this.#unfolded.set(number, rows);
      }
      this.#post({ type: 'unfold', number, rows });
      batch(() => this.#dropFolded(number));
    }
  }

  /** Records that rows `first` to `last` are on screen; `last` is inclusive. */
  setVisible(first: number, last: number): void {
    this.visible = { first, last };
    this.#seen.value = Math.max(this.#seen.peek(), last + 1);
  }

  /**
   * The row that keyboard commands start from: the active one while it is visible, otherwise the
   * topmost.
   */
  get current(): number {
    const active = this.active.peek();
    const { first, last } = this.visible;
    const isSeen = active !== undefined && active >= first && active <= last;
    return this.rows.getRow(isSeen ? active : first);
  }

  /** Scrolls an entry into view and stops following. */
  show(index: number, as: Reveal['as'], words?: readonly string[]): void {
    if (index < 0 || index >= this.count.peek()) {
      return;
    }
    batch(() => {
      this.follow.value = false;
      this.preview.value = undefined;
      this.reveal.value = { index, as, ...(words && { words }) };
    });
  }

  /** Goes to the next or previous landmark of a kind; the host finds it. */
  seek(target: Landmark, direction: Direction): void {
    this.#post({ type: 'seek', target, direction, from: this.current });
  }

  /** Scrolls to the newest entry and follows it. */
  jumpToLatest(): void {
    batch(() => {
      this.passedRequest.value = this.session.peek()?.waiting[0];
      this.reveal.value = undefined;
      this.follow.value = true;
    });
  }

  #entry(index: number): Signal<DrawnEntry | undefined> {
    let entry = this.#entries.get(index);
    if (!entry) {
      entry = signal<DrawnEntry | undefined>(undefined);
      this.#entries.set(index, entry);
    }
    return entry;
  }

  /** The only place where an entry is set or cleared. */
  #put(index: number, held: Signal<DrawnEntry | undefined>, entry: DrawnEntry | undefined): void {
    held.value = entry;
    if (entry?.kind === 'subagent') {
      this.#lengths.set(entry.number, entry.length);
    }
    if (numberAt(index) > 0) {
      // Not a row of the list.
      return;
    }
    const shape = findShape(entry);
    if (shape === this.#shapes.get(index)) {
      return;
    }
    if (shape === undefined) {
      this.#shapes.delete(index);
    } else {
      this.#shapes.set(index, shape);
    }
    this.#shaped.value = { shapes: this.#shapes };
  }

  #takeSnapshot(message: Extract<ToWebview, { type: 'snapshot' }>): void {
    this.#revision = message.revision;
    this.#awaitingSnapshot = false;
    this.header.value = message.header;
    this.phase.value = message.phase;
    this.session.value = keepEqual(this.session.peek(), message.session);
    this.#setCount(message.count);
    const end = message.start + message.entries.length;
    for (const [index, entry] of this.#entries) {
      if (index < message.start || index >= end) {
        this.#put(index, entry, undefined);
      }
    }
    for (const [offset, entry] of message.entries.entries()) {
      const index = message.start + offset;
      this.#put(index, this.#entry(index), entry);
    }
  }

  #takePatch(message: Extract<ToWebview, { type: 'patch' }>): void {
    if (this.#awaitingSnapshot) {
      return;
    }
    if (this.#revision === undefined || message.revision !== this.#revision + 1) {
      this.#resync();
      return;
    }
    this.#revision = message.revision;
    this.header.value = message.header ?? this.header.peek();
    this.phase.value = message.phase ?? this.phase.peek();
    if (message.session) {
      this.session.value = keepEqual(this.session.peek(), message.session);
    }
    if (message.count !== undefined) {
      this.#setCount(message.count);
    }
    for (const change of message.changes) {
      this.#change(change);
    }
    this.#trim();
  }

  #takeNotice({ severity, title, description }: Omit<ShownNotice, 'id'>): void {
    this.#lastNotice += 1;
    const notice = { id: this.#lastNotice, severity, title, ...(description && { description }) };
    this.notices.value = [...this.notices.peek(), notice].slice(-maxNotices);
  }

  #setCount(count: number): void {
    this.count.value = count;
    if (this.follow.peek()) {
      this.#seen.value = count;
    }
    this.#seen.value = Math.min(this.#seen.peek(), count);
    for (const [index, entry] of this.#entries) {
      if (index >= count && numberAt(index) === 0) {
        this.#drop(index, entry);
      }
    }
  }

  #change(change: Change): void {
    if (change.op === 'set') {
      this.#put(change.index, this.#entry(change.index), change.entry);
      return;
    }
    const entry = this.#entries.get(change.index);
    const current = entry?.peek();
    if (!entry || !current) {
      return;
    }
    const grown = withAppended(current, change.text);
    if (grown) {
      entry.value = grown;
    } else {
      this.#resync();
    }
  }

  /** Whether this is one of the last rows of an unfolded subagent. */
  #isUnfolded(place: number): boolean {
    const number = numberAt(place);
    const length = this.#lengths.get(number) ?? 0;
    return number > 0 && indexAt(place) >= length - this.unfoldedRows(number);
  }

  /**
   * Drops the folded rows of this subagent only: others may be about to be drawn for the first time, and unfolded
   * after that.
   */
  #dropFolded(number: number): void {
    for (const [index, entry] of this.#entries) {
      if (numberAt(index) === number && !this.#isUnfolded(index)) {
        this.#drop(index, entry);
      }
    }
  }

  #drop(index: number, entry: Signal<DrawnEntry | undefined>): void {
    this.#put(index, entry, undefined);
    this.#entries.delete(index);
  }

  #resync(): void {
    this.#awaitingSnapshot = true;
    this.#post({ type: 'resync' });
  }

  /**
   * Rows on screen are kept as well: they are drawn from these signals before their window is
   * requested.
   */
  #trim(): void {
    if (!this.#window) {
      return;
    }
    const { start, end } = windowRange(this.#window, this.count.peek());
    const { first, last } = this.visible;
    for (const [index, entry] of this.#entries) {
      const isWanted = index >= start - slack && index < end + slack;
      const isOnScreen = index >= first - slack && index <= last + slack;
      if (!isWanted && !isOnScreen && !this.#isUnfolded(index)) {
        this.#drop(index, entry);
      }
    }
  }
}

/** The message with `text` appended to its last text block, or `undefined` when it doesn't end with one. */
function withAppended(entry: DrawnEntry, text: string): DrawnEntry | undefined {
  if (entry.kind !== 'user' && entry.kind !== 'agent' && entry.kind !== 'thought') {
    return undefined;
  }
  const last = entry.blocks.at(-1);
  if (last?.type !== 'text') {
    return undefined;
  }
  return { ...entry, blocks: [...entry.blocks.slice(0, -1), { ...last, text: last.text + text }] };
}
