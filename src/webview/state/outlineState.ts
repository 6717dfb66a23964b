import { signal } from '@preact/signals';
import type { Marks, OutlineTurn } from '../../shared/transcript/outline';
import type { ToWebview } from '../../shared/transcript/webviewMessages';

const noMarks: Marks = { turn: [], diff: [], error: [] };

/** The transcript's outline in the webview: the turns around its window, and the ruler's marks. */
export class OutlineState {
  /** Ascending. */
  readonly turns = signal<readonly OutlineTurn[]>([]);
  readonly marks = signal<Marks>(noMarks);

  receive({ turns, marks }: Extract<ToWebview, { type: 'outline' }>): void {
    this.turns.value = turns ?? this.turns.peek();
    this.marks.value = marks ?? this.marks.peek();
  }

  /** The turn that contains an entry, if it is among the known ones. */
  findTurn(index: number): OutlineTurn | undefined {
    return this.turns.value.findLast((turn) => turn.index <= index);
  }
}
