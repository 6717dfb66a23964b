/** What is used of the ACP SDK while it runs: a bundle of its own, loaded with the first agent (SDK-1). */
export { client, RequestError } from '@agentclientprotocol/sdk';
