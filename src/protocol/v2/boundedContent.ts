import type { ToolContent } from '../../shared/transcript/content';
import { maxItems, moreItems } from '../bounds';

/** Content of a tool call as it is read, of which as many items are kept as a list may have. */
export class BoundedContent {
  readonly #items: ToolContent[] = [];
  #leftOut = 0;

  get isFull(): boolean {
    return this.#items.length === maxItems;
  }

  add(item: ToolContent): void {
    if (this.isFull) {
      this.#leftOut++;
    } else {
      this.#items.push(item);
    }
  }

  leaveOut(count: number): void {
    this.#leftOut += count;
  }

  /** The items; a note says how many more there were. */
  items(): readonly ToolContent[] {
    if (this.#leftOut === 0) {
      // A list that has grown has room for 16 more; its copy has none.
      return this.#items.slice();
    }
    const text = moreItems(this.#leftOut);
    return [...this.#items, { type: 'content', block: { type: 'text', text } }];
  }
}
