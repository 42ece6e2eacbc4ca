import type { Typed } from './values.ts';

/** Returns the current values of a form. */
export const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
