/**
 * Notices: messages about a booking or account that are sent unasked. Areas declare the kinds, and one area sends them
 * for all.
 */
import { ENGLISH, type Language, type Reader } from '../../base/languages/languages.ts';
import type { Speakers } from '../../base/languages/speakers.ts';
import { textIn, type Text, type Words } from '../../base/values/words.ts';
import type { TemplateField } from '../../base/values/template.ts';
import type { Translations } from '../../base/languages/translations.ts';

/** A kind of notice to customers: its occasion, its default texts and channels. */
export interface NoticeType {
  /** identifies it in URLs and preferences; never changed */
  readonly number: number;
  /** its name in the ledger of messages and the settings */
  readonly type: string;
  /** its occasion; customers read it where they switch notices on and off */
  readonly description: Text;
  /** default channels, unless the business sets others */
  readonly email: boolean;
  readonly sms: boolean;
  /** customers may switch it off; otherwise, it is essential */
  readonly optional: boolean;
  /** its text differs each time: there is no template */
  readonly freeform?: true;
  readonly fields: readonly TemplateField[];
  readonly subject: Text;
  readonly body: Text;
  readonly smsBody: Text;
  /** label for the link in its email, as a button */
  readonly button?: Text;
  /** translations of its texts, by `TYPE.subject`, `.body`, `.sms` and `.button`; absent: it has no texts of its own */
  readonly translations?: Translations;
}

/** Returns the texts of a kind of notice, in a language; English ones use the words of the business. */
export function noticeTexts(
  { type, subject, body, smsBody, button, translations }: NoticeType,
  { words, reader = ENGLISH }: { readonly words: Words; readonly reader?: Reader },
): Pick<NoticeAsSent, 'subject' | 'body' | 'smsBody' | 'button' | 'language'> {
  const said = translations?.[reader.language];
  if (said)
    return {
      language: reader.language,
      subject: said[`${type}.subject`],
      body: said[`${type}.body`],
      smsBody: said[`${type}.sms`],
      button: said[`${type}.button`] ?? null,
    };
  return {
    language: 'en',
    subject: textIn(words, subject),
    body: textIn(words, body),
    smsBody: textIn(words, smsBody),
    button: button === undefined ? null : textIn(words, button),
  };
}

/** A kind of notice with the texts that a business sends, in its words. */
export type NoticeAsSent = Omit<NoticeType, 'subject' | 'body' | 'smsBody' | 'button'> &
  Readonly<Record<'subject' | 'body' | 'smsBody', string>> & {
    readonly button: string | null;
    /** language of these texts, unless the business wrote them itself */
    readonly language: Language;
  };

/** Fields of every notice, filled in by the sending area. */
export const COMMON_FIELDS: readonly TemplateField[] = [
  { name: 'customer.first_name', description: 'First name of the person who reads the message', sample: 'Ada' },
  { name: 'business.name', description: 'Name of the business', sample: 'Harbour Lane' },
  {
    name: 'business.url',
    description: 'Link to the pages of the business, on which people book',
    sample: 'https://example.com/harbour-lane',
  },
];

/** Values for the fields of a text, by name. */
export type NoticeValues = Readonly<Record<string, string | null>>;

/** Returns the words of the business for a reader of this language: for texts with translations that are filled in. */
export const wordsTo = (
  {
    tenant,
    registry,
  }: { readonly tenant: { readonly words: Words }; readonly registry: { readonly speakers: Speakers } },
  reader: Reader,
): Words => tenant.words.spokenBy(registry.speakers.for(reader));

/** A notice about one customer. */
export interface Notice {
  readonly type: NoticeType;
  /** the customer that it concerns; a child's notice goes to its parents */
  readonly customer: number;
  /**
   * values of its type's fields, without the common ones; a function if they contain days, times, amounts or sentences,
   * which are written in the reader's language
   */
  readonly values: NoticeValues | ((reader: Reader) => NoticeValues);
  /** idempotency key, unique at the business for this type and customer */
  readonly key: string;
  /** an email address instead of the customer's: of somebody who requested it there, and may have no record */
  readonly recipient?: string;
  /** also sent as a push notification to devices for which the reader agreed to them, under the subject of the email */
  readonly push?: PushPart;
}

interface PushPart {
  /** empty: the subject is sufficient */
  readonly text: (reader: Reader) => string;
  /** its link */
  readonly url: string;
  /** epoch ms: not worth sending afterwards */
  readonly until: number;
}

/** A kind of notice to the people who run a business, or to some of its staff. */
export interface StaffNoticeType {
  /** its name in the ledger of messages */
  readonly type: string;
}

interface StaffNoticeTexts {
  readonly subject: string;
  readonly text: string;
  /** label for the link in its email, as a button */
  readonly button?: string;
}

export interface StaffNotice {
  readonly type: StaffNoticeType;
  /** writes it in the language of its readers */
  readonly write: (reader: Reader) => StaffNoticeTexts;
  /** idempotency key, unique at the business for this type: sent once */
  readonly key: string;
}

/** Returns the address of a screen of the dashboard, for example `sales?tab=payments`. */
export const dashboardUrl = (
  { installation, providerId }: { readonly installation: { readonly baseUrl: string }; readonly providerId: number },
  screen: string,
): string => `${installation.baseUrl}/dashboard/${providerId}/${screen}`;

/** Email to the address bounced, was reported as spam, or was stopped by the business. */
export type StoppedBecause = 'bounced' | 'complained' | 'manual';
