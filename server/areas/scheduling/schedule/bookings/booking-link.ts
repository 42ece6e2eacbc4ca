/**
 * Signed links to a booking, for emails: anyone who has the email sees the booking and can cancel it without a log-in.
 * Nothing is stored, and nobody can guess the link of another booking.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

export interface LinkedBooking {
  readonly event: number;
  readonly customer: number;
}

const PURPOSE = 'booking_link_1';
const MARK_BYTES = 18;
const NUMBERS = /^[1-9]\d{0,15}-[1-9]\d{0,15}$/;

const printMark = (fingerprint: Buffer): string => fingerprint.subarray(0, MARK_BYTES).toString('base64url');

const signed = (providerId: number, body: string): string => `${providerId}:${body}`;

/** Returns the path of the page of a booking. */
export function bookingPath(
  box: Pick<SecretBox, 'fingerprint'>,
  providerId: number,
  { event, customer }: LinkedBooking,
): string {
  const body = `${event}-${customer}`;
  return `/account/${providerId}/booked/${body}_${printMark(box.fingerprint(PURPOSE, signed(providerId, body)))}`;
}

/** Returns the booking that the last part of the path names; null if it was not issued for this business. */
export function readBookingLink(
  box: Pick<SecretBox, 'fingerprints'>,
  providerId: number,
  ticket: string,
): LinkedBooking | null {
  const cut = ticket.indexOf('_');
  const body = ticket.slice(0, cut);
  if (cut < 0 || !NUMBERS.test(body)) return null;
  // Compared as text: several texts decode to the same bytes.
  const given = Buffer.from(ticket.slice(cut + 1));
  const matches = box.fingerprints(PURPOSE, signed(providerId, body)).some((fingerprint) => {
    const right = Buffer.from(printMark(fingerprint));
    return right.length === given.length && timingSafeEqual(right, given);
  });
  if (!matches) return null;
  const [event, customer] = body.split('-').map(Number);
  return { event, customer };
}
