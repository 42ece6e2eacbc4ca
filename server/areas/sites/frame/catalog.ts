/** Texts of the account pages, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { FORM_MESSAGES, type FormKey } from '../../../kernel/pages/messages.ts';
import { FRAME, type FrameKey } from './messages.ts';
import { writtenWith, type Written as WrittenWith } from './written.ts';
import type { Entrance } from './entrance.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

export const ACCOUNT = Catalog.read('pages', 'accounts/account');
export const DONE = Catalog.read('pages', 'accounts/done');
export const ENTRY = Catalog.read('pages', 'accounts/entry');
export const FIELDS = Catalog.read('pages', 'accounts/fields');
export const ENDS = Catalog.read('pages', 'accounts/ends');
export const FAMILY = Catalog.read('pages', 'accounts/family');
export const HOLDS = Catalog.read('pages', 'accounts/holds');
export const PUSH = Catalog.read('pages', 'accounts/push');

export const LETTERS = Catalog.read('pages', 'accounts/letters');

export type FieldKey = TextKey<'pages', 'accounts/fields'>;
export type AccountKey = TextKey<'pages', 'accounts/account'>;
/** Messages about the kinds of notices that people can switch off. */
export type NoticeKey = Extract<TextKey<'pages', 'accounts/letters'>, `notice.${string}`>;

export const isNoticeKey = (key: string): key is NoticeKey => Object.hasOwn(LETTERS.languages.en, key);

type Key =
  | TextKey<'pages', 'accounts/account'>
  | TextKey<'pages', 'accounts/ends'>
  | TextKey<'pages', 'accounts/family'>
  | TextKey<'pages', 'accounts/holds'>
  | TextKey<'pages', 'accounts/push'>
  | TextKey<'pages', 'accounts/letters'>
  | TextKey<'pages', 'accounts/done'>
  | TextKey<'pages', 'accounts/entry'>
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
  .and(ENDS)
  .and(LETTERS)
  .and(PUSH)
  .and(FAMILY);

/** Returns the texts in the language of the person who reads. */
export const writtenFor = (visit: Visit<Entrance>): Written => writtenWith(visit, CATALOG);
