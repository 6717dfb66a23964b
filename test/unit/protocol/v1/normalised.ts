import { normaliseUpdate } from '../../../../src/protocol/v1/normaliseUpdate';

/** The normalized update, or the reason for rejecting it. */
export function normalise(update: unknown): unknown {
  const event = normaliseUpdate({ sessionId: 's', update });
  return typeof event === 'string' ? event : event.update;
}

export function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}
