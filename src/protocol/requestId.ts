import { Buffer } from 'node:buffer';
import type { MessageId } from './rpc/envelope';

/** Bytes of an id, far more than any library makes. */
const maxIdBytes = 1024;

/** Whether an id of a request may be kept until the request is answered: it is one, and short. */
export function isRequestId(value: unknown): value is MessageId {
  return typeof value === 'string'
    ? value.length <= maxIdBytes && Buffer.byteLength(value) <= maxIdBytes
    : value === null || Number.isFinite(value);
}
