/**
 * All that starts other programs, and speaks with agents: a bundle of its own, loaded with the first of them and not
 * with the window.
 */
export { connectAgent } from '../protocol/connection';
export { spawnAgent } from '../protocol/transport/stdio';
export { findProgram, searchPaths } from '../util/process/findProgram';
export { ChildTerminals } from './terminals/terminals';
