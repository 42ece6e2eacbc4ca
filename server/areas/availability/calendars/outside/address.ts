/** The address of a calendar elsewhere: anyone who knows it can read the calendar, so it is kept like a password. */
import { text } from '../../../../kernel/base/fields/kinds.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

/** As people copy it from their calendar; `webcal` means https. */
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

/** @throws NotOpened */
export const openAddress = (box: SecretBox, providerId: number, account: number, sealed: string): string =>
  box.open(purpose(providerId, account), sealed);

/** Equal for equal addresses of one person, and says nothing without the key; as a bytea is written. */
export const printOf = (box: SecretBox, providerId: number, staff: number, url: string): string =>
  `\\x${box.fingerprint('external calendar', `${providerId}:${staff}:${url}`).toString('hex')}`;
