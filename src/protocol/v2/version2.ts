import type { ProtocolVersion } from '../protocolVersion';
import { questionHandlers, unattended } from '../shapes/handlers';
import { substituteFor } from '../shapes/updates/oversize';
import { initializeParams, readInitializeResult } from './initialize';
import { LiveConnection } from './liveConnection';
import { normaliseUpdate } from './normaliseUpdate';
import { readPermission } from './readPermission';

/** The notifications about changed lists, as in version 1: agents that serve both call them as they did (T-46). */
const listChanges: ReadonlySet<unknown> = new Set([
  'session/list_changed',
  '_session/list_changed',
]);

/** Version 2 of the protocol, a draft. */
export const version2: ProtocolVersion = {
  number: 2,
  reader: {
    readUpdate: normaliseUpdate,
    listChanges,
    substituteFor,
    takesBatches: true,
  },
  initializeParams,
  readInitializeResult,
  handlers: (requests) =>
    requests === undefined ? unattended : questionHandlers(requests, readPermission),
  connection: (rpc, initialized, options) => new LiveConnection(rpc, initialized, options),
};
