import { setTimeout as delay } from 'node:timers/promises';
import { sessionListLimits } from '../../../model/list/listing';
import { deferred } from '../../../util/async';
import type { SessionsNode } from './nodes';

/** VS Code may have folded a node that we expect to be expanded; it isn't waited for longer than this, in ms. */
const maxWaitMs = 2_000;

/** The nodes below which VS Code looks at once, if they are expanded. */
const holders: ReadonlySet<SessionsNode['kind']> = new Set(['agent', 'folder', 'group']);

/** Tells when VS Code has been given the first rows of the view. */
export class FirstRows {
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #rows = deferred<undefined>();
  #areGiven = false;

  constructor(pause = (ms: number): Promise<unknown> => delay(ms, undefined, { ref: false })) {
    this.#pause = pause;
  }

  /** VS Code gets these nodes. */
  give(nodes: readonly SessionsNode[], isExpanded: (node: SessionsNode) => boolean): void {
    if (!this.#areGiven && !nodes.some((node) => holders.has(node.kind) && isExpanded(node))) {
      this.#areGiven = true;
      this.#rows.resolve(undefined);
    }
  }

  /** Resolves when VS Code has them, down to the first without expanded nodes, and has had time to draw them. */
  async drawn(): Promise<void> {
    await Promise.race([this.#rows.promise, this.#pause(maxWaitMs)]);
    await this.#pause(sessionListLimits.drawingMs);
  }
}
