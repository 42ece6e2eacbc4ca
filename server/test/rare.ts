/**
 * Tests that rarely find anything that the others miss run only in `npm run test:all`; `.ci/run` runs both.
 * CONTRIBUTING.md lists the guarantees that they cover.
 */
import { test } from 'node:test';
import { env } from 'node:process';

/** True if this run includes rare tests. */
export const everything = env.TEST_ALL === '1';

/** Registers a test that runs only in `npm run test:all`. Takes the same arguments as `test`. */
export const rare: typeof test = (everything ? test : () => Promise.resolve()) as typeof test;

/** The share of a long table that is due; it changes with each change of the sources, never with the date. */
export const turn = Number(env.TEST_TURN ?? 0);

/** Returns one value in `of`, in turns from change to change; all of them in `npm run test:all`. */
export const inTurns = <T>(values: readonly T[], of = 5): readonly T[] =>
  everything ? values : values.filter((_, index) => index % of === turn % of);

/** Returns `test` if it is the turn of the test with this index out of `of`; in `npm run test:all`, every test runs. */
export const inTurn = (index: number, of: number): typeof test => (turn % of === index % of ? test : rare);
