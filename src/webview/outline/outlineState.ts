import { signal } from '@preact/signals';
import type { Marks, OutlineTurn } from '../../shared/transcript/outline';
import type { ToWebview } from '../../shared/transcript/webviewMessages';

const noMarks: Marks = { turn: [], diff: [], error: [] };

/** What the webview knows of the transcript's outline: the turns around its rows, and what to mark. */
export class OutlineState {
  /** Ascending. */
  readonly turns = signal<readonly OutlineTurn[]>([]);
  readonly marks = signal<Marks>(noMarks);

  receive({ turns, marks }: Extract<ToWebview, { type: 'outline' }>): void {
    this.turns.value = turns ?? this.turns.peek();
    this.marks.value = marks ?? this.marks.peek();
  }

  /** The turn that an entry belongs to, if it is one of those that are known. */
  turnOf(index: number): OutlineTurn | undefined {
    return this.turns.value.findLast((turn) => turn.index <= index);
  }
}
