/** Telephone numbers as people write them, and as the world dials them. */
import { isSupportedCountry, parsePhoneNumberFromString, type NumberType } from 'libphonenumber-js/max';

export type PhoneReading =
  | { readonly full: string; readonly country: string }
  | { readonly field: 'country' | 'phone_number'; readonly problem: string };

/**
 * Kinds of numbers that nobody is sent a text message at: who sends one pays much more, and shares it with whoever has the
 * number; or no telephone gets it.
 */
const NO_TEXTS: ReadonlySet<NumberType> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
]);

/** `country`: ISO 3166, for a number without its own code; a number that has one must be of that country. */
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

/** A number of any country; `home` is the one of those without a country code. Null: it is none. */
export function readPhoneOf(text: string, home: string): { readonly full: string; readonly country: string } | null {
  const code = home.trim().toUpperCase();
  const number = parsePhoneNumberFromString(text, isSupportedCountry(code) ? code : undefined);
  if (!number?.isValid() || number.ext || text.length > 40 || NO_TEXTS.has(number.getType())) return null;
  const country = number.country ?? code;
  return isSupportedCountry(country) ? { full: number.number, country } : null;
}
