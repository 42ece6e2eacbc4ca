/**
 * Signed links to a booking, for emails: anyone who has the email sees the booking and can cancel it without a log-in.
 */
import { readSignedIds, signIds } from '../../../../kernel/base/signed-ids.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

export interface LinkedBooking {
  readonly event: number;
  readonly customer: number;
}

const PURPOSE = 'booking_link_1';

/** Returns the path of the page of a booking. */
export const bookingPath = (
  box: Pick<SecretBox, 'fingerprint'>,
  providerId: number,
  { event, customer }: LinkedBooking,
): string => `/account/${providerId}/booked/${signIds(box, PURPOSE, providerId, [event, customer])}`;

/** Returns the booking that the last part of the path names; null if it was not issued for this business. */
export function readBookingLink(
  box: Pick<SecretBox, 'fingerprints'>,
  providerId: number,
  ticket: string,
): LinkedBooking | null {
  const [event, customer, ...more] = readSignedIds(box, PURPOSE, providerId, ticket) ?? [];
  return customer === undefined || more.length > 0 ? null : { event, customer };
}
