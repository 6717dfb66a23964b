/** Commands about agents that don't work: a separate bundle, loaded with the first of them. */
export { diagnoseAgent } from './diagnose';
export { explainAgent } from './explainAgent';
