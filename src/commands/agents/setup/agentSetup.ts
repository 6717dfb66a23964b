/** Setting up agents: a separate bundle, loaded with the first of these commands. */
export { addAgent } from './addAgent';
export { editAgents } from './editAgents';
export { forgetAgent } from './forgetAgent';
export { removeAgent } from './removeAgent';
export { updateAgent } from './updateAgent';
export { useVersion } from './useVersion';
