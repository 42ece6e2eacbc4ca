/** What people are told without asking: areas declare the kinds, and one area writes to people for all of them. */
import { ENGLISH, type Language, type Reader } from '../../base/languages/languages.ts';
import { textIn, type Text, type Words } from '../../base/values/words.ts';
import type { TemplateField } from '../../base/values/template.ts';
import type { Tenant, Work } from './work.ts';
import type { Translations } from '../../base/languages/translations.ts';

/** A kind of notice to customers: what it is about, what it says unless the business says otherwise, and by what. */
export interface NoticeType {
  /** stands for it in addresses and preferences; never changed */
  readonly number: number;
  /** the name that the ledger and the settings have for it */
  readonly type: string;
  /** what happened; customers read it where they switch notices on and off */
  readonly description: Text;
  /** what it uses unless the business says otherwise */
  readonly email: boolean;
  readonly sms: boolean;
  /** customers may switch it off for themselves; else it tells what they must know */
  readonly optional: boolean;
  /** says something else each time: there is no template of it */
  readonly freeform?: true;
  readonly fields: readonly TemplateField[];
  readonly subject: Text;
  readonly body: Text;
  readonly smsBody: Text;
  /** what the link of its mail does, as words for a button */
  readonly button?: Text;
  /** the texts in other languages, by `TYPE.subject`, `.body`, `.sms` and `.button`; absent: it has none of its own */
  readonly translations?: Translations;
}

/** The texts of a kind of notice, in a language; English ones are in the words of the business. */
export function noticeTexts(
  { type, subject, body, smsBody, button, translations }: NoticeType,
  { words, reader = ENGLISH }: Pick<Tenant, 'words' | 'reader'>,
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
    /** of these texts, unless the business wrote them itself */
    readonly language: Language;
  };

/** Every notice has these; whoever sends it fills them in. */
export const COMMON_FIELDS: readonly TemplateField[] = [
  { name: 'customer.first_name', description: 'First name of the person who reads the message', sample: 'Ada' },
  { name: 'business.name', description: 'Name of the business', sample: 'Harbour Lane' },
];

/** What is filled into a text, by the names of its fields. */
export type NoticeValues = Readonly<Record<string, string | null>>;

/** The words of the business for somebody who reads this language: for texts with translations that are filled in. */
export const wordsTo = ({ tenant, registry }: Pick<Work, 'tenant' | 'registry'>, reader: Reader): Words =>
  tenant.words.spokenBy(registry.speakers.for(reader));

/** Something to be told about one customer. */
export interface Notice {
  readonly type: NoticeType;
  /** whom it is about; a child's notice goes to its parents */
  readonly customer: number;
  /**
   * of the fields of its type, without the common ones; a function where they have days, times, amounts or sentences, which
   * are written in the language of the person who reads the notice
   */
  readonly values: NoticeValues | ((reader: Reader) => NoticeValues);
  /** what it is, unique at the business for this type and customer */
  readonly key: string;
  /** an email address in place of the customer's: of somebody who asked for it there, and may have no record */
  readonly recipient?: string;
  /** also sent to devices on which the reader agreed to push notifications, below the subject of the mail */
  readonly push?: PushPart;
}

export interface PushPart {
  /** empty: the subject says it all */
  readonly text: (reader: Reader) => string;
  /** where it leads */
  readonly url: string;
  /** epoch ms: later it is no news any more */
  readonly until: number;
}

/** A kind of notice to the people who run a business, or to some of its staff. */
export interface StaffNoticeType {
  /** the name that the ledger has for it */
  readonly type: string;
  readonly subject: string;
}

export interface StaffNotice {
  readonly type: StaffNoticeType;
  readonly text: string;
  /** what it is, unique at the business for this type: told once */
  readonly key: string;
}

/** Email to the address came back, was taken for spam, or is stopped by the business. */
export type StoppedBecause = 'bounced' | 'complained' | 'manual';

/** The area that writes to people. What it writes is queued in the transaction of its cause. */
export interface Notifier {
  /** Each once by its key, whatever is repeated. Returns the ids of the messages, also of those queued before. */
  notify(work: Work, notices: readonly Notice[]): Promise<number[]>;
  /** Queues what people would be told of all that the work has recorded: for a trial, which undoes it. */
  previewEffects(work: Work): Promise<void>;
  /** Takes back those of these messages that are not sent yet. */
  withdraw(work: Work, messages: readonly number[]): Promise<void>;
  /** By email, to these staff members. */
  notifyStaff(work: Work, staff: readonly number[], notice: StaffNotice): Promise<void>;
  /** Why email to this address would not be sent, whatever it is about; null: it would be. */
  stopped(work: Work, address: string): Promise<StoppedBecause | null>;
  /** By email, to every super admin who works there. */
  notifySuperAdmins(work: Work, notice: StaffNotice): Promise<void>;
}
