/**
 * Tests that rarely find what the others miss run in `npm run test:all` only; `.ci/run` runs both. CONTRIBUTING.md lists
 * which guarantees they hold.
 */
import { test } from 'node:test';
import { env } from 'node:process';

/** Whether this run includes what is rare. */
export const everything = env.TEST_ALL === '1';

/** A test for `npm run test:all` only. Takes what `test` takes. */
export const rare: typeof test = (everything ? test : () => Promise.resolve()) as typeof test;

/** Which share of a long table is due; it changes with each change of the sources, never with the date. */
const turn = Number(env.TEST_TURN ?? 0);

/** One value in `of`, in turns from change to change; all of them in `npm run test:all`. */
export const inTurns = <T>(values: readonly T[], of = 5): readonly T[] =>
  everything ? values : values.filter((_, index) => index % of === turn % of);

/** A test that takes turns with others of its kind: the one with this index of so many; all of them in `npm run test:all`. */
export const inTurn = (index: number, of: number): typeof test => (turn % of === index ? test : rare);
