/** Splits a roster into parts. Pure. */
import type { Status } from './marks/queue.ts';

interface Listed {
  readonly id: number;
  readonly status: Status | 'not_registered' | 'late_cancelled';
  readonly customer: { readonly first_name: string | null; readonly last_name: string | null } | null;
  readonly waitlist_spot: { readonly status: string; readonly position: number | null } | null;
}

export const nameOf = ({ customer }: Pick<Listed, 'customer'>): string =>
  [customer?.first_name, customer?.last_name].filter(Boolean).join(' ');

export interface Parts<P> {
  /** including unsent marks of this device, by name */
  readonly booked: readonly P[];
  /** in the order of the waitlist; those with a reserved place first. Includes people who wait for the other kind. */
  readonly waiting: readonly P[];
  /** late cancellations */
  readonly cancelled: readonly P[];
}

const isMarkable = (status: string): boolean =>
  status === 'registered' || status === 'attended' || status === 'no_show';

/** Splits the people of a roster. `told`: unsent marks, by the id of the attendance */
export function partsOf<P extends Listed>(people: readonly P[], marks: ReadonlyMap<number, Status>): Parts<P> {
  const byName = people.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)) || a.id - b.id);
  const waits = ({ status, waitlist_spot: spot }: P): boolean =>
    (!isMarkable(status) || status === 'registered') &&
    (spot?.status === 'on_waitlist' || spot?.status === 'spot_reserved');
  const placeOf = ({ waitlist_spot: spot }: P): number =>
    spot?.status === 'spot_reserved' ? 0 : (spot?.position ?? 0);
  return {
    booked: byName
      .filter(({ status }) => isMarkable(status))
      .map((one) => (marks.has(one.id) ? { ...one, status: marks.get(one.id)! } : one)),
    waiting: byName.filter(waits).toSorted((a, b) => placeOf(a) - placeOf(b)),
    cancelled: byName.filter((one) => one.status === 'late_cancelled' && !waits(one)),
  };
}

/** Removes diacritics: typing `Andre` finds André. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Returns true if each word of the text is the beginning of a word of the name. */
export function isNamed(name: string, text: string): boolean {
  const parts = plain(name).split(/[\s-]+/);
  return plain(text)
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)));
}

/**
 * Parses a scanned code: the number of a customer, with or without the check of their pass, or an email address. Null
 * if it is neither.
 */
export function readCode(code: string): { readonly id: number } | { readonly email: string } | null {
  const text = code.trim();
  const number = /^#?0*([1-9]\d{0,15})(?:-[0-9A-Z]{10})?$/i.exec(text);
  if (number && Number.isSafeInteger(Number(number[1]))) return { id: Number(number[1]) };
  return /^[^\s@]+@[^\s@]+$/.test(text) ? { email: text.toLowerCase() } : null;
}
