import process from 'node:process';
import { connectHttp } from '../../../../../../src/features/remote/model/transport/http';
import { connectWebSocket } from '../../../../../../src/features/remote/model/transport/webSocket';
import { AcpError } from '../../../../../../src/protocol/errors';

/** Connects to each address of its arguments, and prints what it has heard or why it has heard nothing. */
const heard = process.argv.slice(2).map(async (address) => {
  const url = new URL(address);
  const transport = url.protocol === 'wss:' ? connectWebSocket({ url }) : connectHttp({ url });
  try {
    return await new Promise<string>((resolve, reject) => {
      transport.onData((bytes) => resolve(Buffer.from(bytes).toString()));
      transport.onEnd(({ error }) => reject(error ?? new Error('ended')));
      transport.write('{"hello":1}\n').catch(reject);
    });
  } catch (error) {
    return error instanceof AcpError ? error.facts.trouble : String(error);
  } finally {
    await transport.close();
  }
});
process.stdout.write(JSON.stringify(await Promise.all(heard)));
