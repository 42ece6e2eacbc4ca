/**
 * The parts of the interface that no assistant reaches, whoever asks: what passes through a conversation is stored by
 * others.
 */
import type { Endpoint } from '../../../kernel/api/acting.ts';

/** Beginnings of paths, and why they are kept out. */
const KEPT_OUT: Readonly<Record<string, string>> = {
  '/applications': 'secrets of applications, and what they may do',
  '/assistants': 'which assistants people connected, and ending them',
  '/machine_tokens': 'credentials',
  '/webhook_': 'secrets of receivers, and where data is sent',
  '/partners': 'secrets of doors and platforms',
  '/payment_processors': 'credentials of payment processors',
  '/payment_method': 'cards and bank accounts',
  '/sandbox': 'simulated payment processors',
  '/gift_cards': 'codes that are worth money',
  '/imports': 'files of other products as they are, with codes that are worth money',
  '/external_calendars/accounts': 'addresses that open a calendar to anyone who knows them',
  '/push_notification': 'addresses of devices',
  '/audit_entries': 'states of rows with everything in them',
  '/feed_items': 'records for programs',
  '/test_clock': 'the clock of a test business',
};
/** Ends of paths with links that log somebody in or open a calendar, and with files. */
const KEPT_OUT_ENDS = /\/(icalendar_links|signing_link|generate_access_link|generate_online_access_link|signature)$/;

/** Returns true if assistants may not call the operation. */
export const isKeptOut = ({ path, acts, belongsTo, returns }: Endpoint): boolean =>
  belongsTo === 'installation' ||
  acts === 'stream' ||
  acts === 'outside' ||
  returns.kind === 'file' ||
  KEPT_OUT_ENDS.test(path) ||
  Object.keys(KEPT_OUT).some((beginning) => path.startsWith(beginning));

/** Names of properties that hold a secret, or identify how somebody pays. */
const SECRET =
  /secret|password|token|signature|_key$|^key$|invitation_url|icalendar|action_url|processor_reference|fingerprint|^last_?4$|^iban|card_|payment_method/;

export const isSecretName = (name: string): boolean => SECRET.test(name);
