import type { Typed } from './values.ts';

/** What stands in a form now. */
export const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
