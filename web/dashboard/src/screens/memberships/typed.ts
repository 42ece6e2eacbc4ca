/** What stands in the fields of a form, as the interface takes it. */
import type { Typed } from '../../changes/proposal-form.tsx';

export const textOrNull = (text: string | undefined): string | null => text || null;

export const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);

/** Whether each of these boxes is checked. */
export const flagsOf = <Name extends string>(typed: Typed, names: readonly Name[]): Record<Name, boolean> =>
  Object.fromEntries(names.map((name) => [name, typed[name] !== undefined])) as Record<Name, boolean>;

/** One of these, or the first. */
export const oneOf = <One extends string>(all: readonly One[], text: string | undefined): One =>
  all.find((one) => one === text) ?? all[0];

/** Of boxes that are named `prefix.value`, the values of those that are checked. */
export const checkedOf = (typed: Typed, prefix: string): string[] =>
  Object.keys(typed).flatMap((name) => (name.startsWith(`${prefix}.`) ? [name.slice(prefix.length + 1)] : []));
