/** Choices for a file. */
import { words } from './words.ts';

export const KINDS = [
  'customers',
  'schedule',
  'memberships',
  'bookings',
  'appointments',
  'staff',
  'balances',
  'gift_cards',
  'visits',
] as const;
export const DATES = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD'] as const;

/** Product names, which are not translated. */
const PRODUCTS: Readonly<Record<string, string>> = {
  mindbody: 'Mindbody',
  teamup: 'TeamUp',
  momence: 'Momence',
  glofox: 'Glofox',
};

export const sourceName = (source: string): string =>
  PRODUCTS[source] ?? (source === 'file' ? words.say('source.file') : source);
