import { normaliseUpdate } from '../../../src/protocol/v1/normaliseUpdate';

/** The update after the normaliser, or the reason why there is none. */
export function normalise(update: unknown): unknown {
  const event = normaliseUpdate({ sessionId: 's', update });
  return typeof event === 'string' ? event : event.update;
}

export function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}
