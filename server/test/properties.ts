/**
 * fast-check, configured for the tests. A property is tried with the same values every time, so that a run fails
 * because of a change and never by chance; `npm run test:random` looks for new counterexamples.
 *
 * PROPERTY_SEED an integer, or `random` PROPERTY_RUNS number of tries for each property, instead of that in the test
 */
import { env } from 'node:process';
import fc from 'fast-check';

const FIXED_SEED = 20_260_610;
const often = env.PROPERTY_RUNS ? Number(env.PROPERTY_RUNS) : null;
const seed = env.PROPERTY_SEED === 'random' ? undefined : Number(env.PROPERTY_SEED ?? FIXED_SEED);

fc.configureGlobal({ seed, numRuns: often ?? 100 });

/** Returns the number of tries, for a property that needs another number than the usual hundred. */
export const runs = (n: number): { numRuns: number } => ({ numRuns: often ?? n });

export { fc };
