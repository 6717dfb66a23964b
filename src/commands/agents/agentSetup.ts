/** Setting up agents: a separate bundle, loaded with the first of these commands. */
export { addAgent } from './addAgent';
export { editAgents } from './editAgents';
export { updateAgent } from './updateAgent';
