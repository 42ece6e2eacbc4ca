/** A program for the test of bundles: letters beyond ASCII stand before what it throws. */
export const SAID = 'Grüße – 🎾';

export function refuseAlways(): never {
  throw new Error(`refused: ${SAID}`);
}
