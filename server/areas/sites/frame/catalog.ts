/** Texts of the account pages, in every language. `en.json` of each folder is the source. */
import type account from './messages/account/en.json';
import type done from './messages/done/en.json';
import type entry from './messages/entry/en.json';
import type family from './messages/family/en.json';
import type fields from './messages/fields/en.json';
import type letters from './messages/letters/en.json';
import type holds from './messages/holds/en.json';
import type push from './messages/push/en.json';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { FORM_MESSAGES, type FormKey } from '../../../kernel/pages/messages.ts';
import { FRAME, type FrameKey } from './messages.ts';
import { writtenWith, type Written as WrittenWith } from './written.ts';
import type { Entrance } from './entrance.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

const read = <Key extends string>(folder: string): Catalog<Key> =>
  Catalog.read<Key>(new URL(`./messages/${folder}/`, import.meta.url));

export const ACCOUNT = read<keyof typeof account>('account');
export const DONE = read<keyof typeof done>('done');
export const ENTRY = read<keyof typeof entry>('entry');
export const FIELDS = read<keyof typeof fields>('fields');
export const FAMILY = read<keyof typeof family>('family');
export const HOLDS = read<keyof typeof holds>('holds');
export const PUSH = read<keyof typeof push>('push');

export const LETTERS = read<keyof typeof letters>('letters');

export type FieldKey = keyof typeof fields;
export type AccountKey = keyof typeof account;
/** Messages about the kinds of notices that people can switch off. */
export type NoticeKey = Extract<keyof typeof letters, `notice.${string}`>;

export const isNoticeKey = (key: string): key is NoticeKey => Object.hasOwn(LETTERS.languages.en, key);

type Key =
  | keyof typeof account
  | keyof typeof family
  | keyof typeof holds
  | keyof typeof push
  | keyof typeof letters
  | keyof typeof done
  | keyof typeof entry
  | FieldKey
  | FormKey
  | FrameKey;

/** Phrases the texts of account pages for one person. */
export type AccountSay = Say<Key>;
export type Written = WrittenWith<Key>;

const CATALOG = FRAME.and(FORM_MESSAGES)
  .and(FIELDS)
  .and(DONE)
  .and(ENTRY)
  .and(ACCOUNT)
  .and(HOLDS)
  .and(LETTERS)
  .and(PUSH)
  .and(FAMILY);

/** Returns the texts in the language of the person who reads. */
export const writtenFor = (visit: Visit<Entrance>): Written => writtenWith(visit, CATALOG);
