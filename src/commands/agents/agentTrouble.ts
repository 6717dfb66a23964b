/** Commands for agents that don't work as they should: a separate bundle, loaded with the first of them. */
export { diagnoseAgent } from './diagnose';
export { explainAgent } from './explainAgent';
export { restartAgent, stopAgent } from './restartAgent';
export { signInToAgent, signOutOfAgent } from './signIn';
export { useProtocol } from './useProtocol';
