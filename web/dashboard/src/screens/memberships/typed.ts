/** Conversion of form values to the format of the interface. */
import type { Typed } from '../../changes/proposal-form.tsx';

export const textOrNull = (text: string | undefined): string | null => text || null;

export const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);

/** Returns for each of these boxes whether it is checked. */
export const flagsOf = <Name extends string>(typed: Typed, names: readonly Name[]): Record<Name, boolean> =>
  Object.fromEntries(names.map((name) => [name, typed[name] !== undefined])) as Record<Name, boolean>;

/** Returns the text if it is one of these, or else the first. */
export const oneOf = <One extends string>(all: readonly One[], text: string | undefined): One =>
  all.find((one) => one === text) ?? all[0];

/** Returns the values of the checked boxes among those named `prefix.value`. */
export const checkedValues = (typed: Typed, prefix: string): string[] =>
  Object.keys(typed).flatMap((name) => (name.startsWith(`${prefix}.`) ? [name.slice(prefix.length + 1)] : []));
