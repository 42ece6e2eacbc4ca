/** Phone numbers as people write them, and in international form. */
import { isSupportedCountry, parsePhoneNumberFromString, type NumberType } from 'libphonenumber-js/max';

export type PhoneReading =
  | { readonly full: string; readonly country: string }
  | { readonly field: 'country' | 'phone_number'; readonly problem: string };

/**
 * Kinds of numbers that are never sent text messages: the sender pays much more, and shares that with the owner of the
 * number; or no phone receives it.
 */
const NO_TEXTS: ReadonlySet<NumberType> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
]);

/**
 * Reads a number. `country`: ISO 3166, for a number without its own code; a number with a code must be of that country.
 */
export function readPhone(text: string, country: string): PhoneReading {
  const code = country.trim().toUpperCase();
  if (!isSupportedCountry(code)) return { field: 'country', problem: 'Must be a country code, for example CA or GB.' };
  const number = parsePhoneNumberFromString(text, code);
  if (!number?.isValid() || number.ext)
    return {
      field: 'phone_number',
      problem: `This is not a phone number in ${code}. Enter it as you would dial it there, or with its country code, for example +1 416 555 0100.`,
    };
  if (number.country !== undefined && number.country !== code)
    return { field: 'country', problem: `The number belongs to ${number.country}.` };
  if (NO_TEXTS.has(number.getType()))
    return {
      field: 'phone_number',
      problem: 'Text messages can’t be sent to numbers of this kind. Enter a mobile number.',
    };
  return { full: number.number, country: code };
}

/** Reads a number of any country; `home` is the country of those without a code. Null if it is no number. */
export function readPhoneOf(text: string, home: string): { readonly full: string; readonly country: string } | null {
  const code = home.trim().toUpperCase();
  const number = parsePhoneNumberFromString(text, isSupportedCountry(code) ? code : undefined);
  if (!number?.isValid() || number.ext || text.length > 40 || NO_TEXTS.has(number.getType())) return null;
  const country = number.country ?? code;
  return isSupportedCountry(country) ? { full: number.number, country } : null;
}
