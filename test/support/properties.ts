import process from 'node:process';
import fc from 'fast-check';

/** By night, properties are tried more often, each time with other values. */
const isNight = process.env['ACP_SESSIONS_NIGHT'] === '1';

/** Repeats a run with this seed, which a property that fails prints. */
const seed = process.env['ACP_SESSIONS_SEED'];

// Also for properties that don't say how often they are tried.
fc.configureGlobal({ ...tries(1000), ...(seed !== undefined && { seed: Number(seed) }) });

/** So often by night, and a tenth of that by day. */
export function tries(byNight: number): { readonly numRuns: number } {
  return { numRuns: isNight ? byNight : Math.ceil(byNight / 10) };
}

export { fc };
