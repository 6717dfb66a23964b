import type { ProtocolVersion } from '../protocolVersion';
import { unattended } from '../shapes/handlers';
import { substituteFor } from '../shapes/updates/oversize';
import { initializeParams, readInitializeResult } from './initialize';
import { LiveConnection } from './liveConnection';
import { normaliseUpdate } from './normaliseUpdate';
import { serveAgent } from './serveAgent';

/** The notifications about changed lists, as drafted, and as Claude and Codex call them (T-46). */
const listChanges: ReadonlySet<unknown> = new Set([
  'session/list_changed',
  '_session/list_changed',
]);

export const version1: ProtocolVersion = {
  number: 1,
  reader: { readUpdate: normaliseUpdate, listChanges, substituteFor },
  initializeParams,
  readInitializeResult,
  handlers: (requests, served) =>
    requests === undefined ? unattended : serveAgent(requests, served),
  connection: (rpc, initialized, options) => new LiveConnection(rpc, initialized, options),
};
