import process from 'node:process';
import fc from 'fast-check';

/** Whether it is night, when properties are tried more often. */
const isNight = process.env['ACP_SESSIONS_NIGHT'] === '1';

/** How all properties are tried, also those that don't say how often. */
export function settingsIn(env: NodeJS.ProcessEnv): { numRuns: number; seed?: number } {
  const seed = env['ACP_SESSIONS_SEED'];
  return { ...tries(1000), ...(seed !== undefined && { seed: Number(seed) }) };
}

/** How often a property is tried: so often by night, and a tenth of that by day. */
export function tries(byNight: number): { readonly numRuns: number } {
  return { numRuns: isNight ? byNight : Math.ceil(byNight / 10) };
}

fc.configureGlobal(settingsIn(process.env));

export { fc };
