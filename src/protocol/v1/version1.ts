import type { ProtocolVersion } from '../protocolVersion';
import { clientCapabilities, readInitializeResult } from './initialize';
import { LiveConnection } from './liveConnection';
import { normaliseUpdate } from './normaliseUpdate';
import { substituteFor } from './oversize';
import { serveAgent, unattended } from './serveAgent';

export const version1: ProtocolVersion = {
  number: 1,
  reader: { readUpdate: normaliseUpdate, substituteFor },
  clientCapabilities,
  readInitializeResult,
  handlers: (requests) => (requests === undefined ? unattended : serveAgent(requests)),
  connection: (rpc, initialized, options) => new LiveConnection(rpc, initialized, options),
};
