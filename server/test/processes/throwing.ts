/** A program for the test of bundles: non-ASCII characters come before the error that it throws. */
export const SAID = 'Grüße – 🎾';

export function refuseAlways(): never {
  throw new Error(`refused: ${SAID}`);
}
