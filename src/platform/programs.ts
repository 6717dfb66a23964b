/**
 * Everything that starts other programs or communicates with agents: a separate bundle, loaded on
 * first use rather than with the window.
 */
export { connectAgent } from '../protocol/connection';
export { spawnAgent } from '../protocol/transport/stdio';
export { versionsOf } from '../protocol/versions';
export { findOnPath, findProgram } from '../util/process/findProgram';
export { loginShellEnvironment } from '../util/process/loginShellEnvironment';
export { startProcess } from '../util/process/startProcess';
export { ChildTerminals } from './terminals/terminals';
