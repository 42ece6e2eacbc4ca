/**
 * The id of a slot contains the slot itself, signed: nothing is stored for a time that somebody only looks at. An id is
 * valid for one business and a limited time; a tampered id is refused.
 */
import { timingSafeEqual } from 'node:crypto';
import { notFound } from '../../../kernel/base/problem.ts';
import { slotExpired } from './problems.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

/** The content of a slot. */
export interface Offered {
  readonly offeringType: number;
  readonly venue: number;
  /** null: a rental */
  readonly instructor: number | null;
  /** another instructor may take over if this one can't */
  readonly anyInstructor: boolean;
  /** null: no room is needed */
  readonly room: number | null;
  /** any other room will do */
  readonly anyRoom: boolean;
  /** epoch milliseconds */
  readonly startsAt: number;
}

const VERSION = 'slot1';
const MARK_BYTES = 18;

const text = (n: number | null): string => (n ?? 0).toString(36);

const markOf = (box: SecretBox, providerId: number, body: string): string =>
  box.fingerprint(`${VERSION} ${providerId}`, body).subarray(0, MARK_BYTES).toString('base64url');

const MINUTE_MS = 60_000;

/**
 * Returns when the id of a slot expires, in epoch milliseconds: at the end of a minute, so that repeated searches
 * return the same ids. `minutes`: minimum validity.
 */
export const slotExpiry = (now: number, minutes: number): number => (Math.ceil(now / MINUTE_MS) + minutes) * MINUTE_MS;

/** Returns the id of a slot. `until`: epoch milliseconds */
export function slotId(box: SecretBox, providerId: number, slot: Offered, until: number): string {
  const flags = (slot.anyInstructor ? 1 : 0) + (slot.anyRoom ? 2 : 0);
  const body = [slot.offeringType, slot.venue, slot.instructor, slot.room, flags, slot.startsAt, until]
    .map(text)
    .join('-');
  return `${body}_${markOf(box, providerId, body)}`;
}

/**
 * Reads the id of a slot. @throws Problem not_found if it is no id of a slot at this business, slot_expired if it is
 * too old
 */
export function readSlotId(box: SecretBox, providerId: number, id: string, now: number): Offered {
  const slot = openSlotId(box, providerId, id);
  if (!slot) throw notFound();
  if (slot.until <= now) throw slotExpired();
  return slot;
}

function openSlotId(box: SecretBox, providerId: number, id: string): (Offered & { until: number }) | null {
  const cut = id.indexOf('_');
  const body = id.slice(0, cut);
  // Compared as text: several texts decode to the same bytes.
  const given = Buffer.from(id.slice(cut + 1));
  const right = Buffer.from(markOf(box, providerId, body));
  if (cut < 0 || given.length !== right.length || !/^[0-9a-z]{1,11}(-[0-9a-z]{1,11}){6}$/.test(body)) return null;
  if (!timingSafeEqual(given, right)) return null;
  const [offeringType, venue, instructor, room, flags, startsAt, until] = body.split('-').map((n) => parseInt(n, 36));
  return {
    offeringType,
    venue,
    instructor: instructor || null,
    room: room || null,
    anyInstructor: (flags & 1) > 0,
    anyRoom: (flags & 2) > 0,
    startsAt,
    until,
  };
}
