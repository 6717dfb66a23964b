import { AcpError } from '../errors';
import type { ProtocolVersion } from '../protocolVersion';
import { substituteFor } from '../shapes/oversize';
import { normaliseUpdate } from './normaliseUpdate';

/** Version 2 of the protocol, a draft. */
export const version2: ProtocolVersion = {
  number: 2,
  reader: {
    readUpdate: normaliseUpdate,
    listChanges: new Set(),
    substituteFor,
    takesBatches: true,
  },
  initializeParams: (info) => ({ info, capabilities: {} }),
  readInitializeResult: () => {
    throw new AcpError('version', 'Version 2 is not spoken yet', { subject: '2' });
  },
  handlers: () => ({ requests: new Map(), notifications: new Map() }),
  connection: () => {
    throw new AcpError('version', 'Version 2 is not spoken yet', { subject: '2' });
  },
};
