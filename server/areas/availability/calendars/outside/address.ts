/** The address of an external calendar. Anyone who knows it can read the calendar, so it is stored like a password. */
import { text } from '../../../../kernel/base/fields/kinds.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

/** The address as people copy it from their calendar; `webcal` means https. */
export const addressField = () =>
  text({
    max: 2000,
    pattern: /^(https?|webcals?):\/\/[^\s<>"]+$/i,
    hint: 'Must be an iCalendar address that starts with https:// or webcal://.',
  });

export const addressOf = (sent: string): string => sent.replace(/^webcals?:/i, 'https:');

export const purpose = (providerId: number, account: number): string => `external_calendar:${providerId}:${account}`;

export const sealAddress = (box: SecretBox, providerId: number, account: number, url: string): string =>
  box.seal(purpose(providerId, account), url);

/** Opens a sealed address. @throws NotOpened */
export const openAddress = (box: SecretBox, providerId: number, account: number, sealed: string): string =>
  box.open(purpose(providerId, account), sealed);

/**
 * Returns a fingerprint, in the notation of a bytea: equal for equal addresses of one person, and meaningless without
 * the key.
 */
export const printOf = (box: SecretBox, providerId: number, staff: number, url: string): string =>
  `\\x${box.fingerprint('external calendar', `${providerId}:${staff}:${url}`).toString('hex')}`;
