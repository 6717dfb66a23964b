/** The part of the ACP SDK that is used at run time: a bundle of its own, loaded with the first agent (SDK-1). */
export { client, RequestError } from '@agentclientprotocol/sdk';
