/** The part of the ACP SDK used at run time, loaded with the first agent (SDK-1). */
export { client, RequestError } from '@agentclientprotocol/sdk';
