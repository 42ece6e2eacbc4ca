/** From what happened to what is written: who reads it, by which channels, in whose words. */
import { AS_TEXT, queueMessages, type CalendarPart, type NewMessage, type Queued } from '../messages/index.ts';
import { queuePush, type PushMessage } from '../push/index.ts';
import { renderTemplate } from '../../../kernel/base/values/template.ts';
import { ENGLISH, readerOf, type Reader as Reading } from '../../../kernel/base/languages/languages.ts';
import { readersOf } from '../../people/customers/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import {
  noticeTexts,
  type Notice,
  type NoticeAsSent,
  type NoticeType,
  type NoticeValues,
} from '../../../kernel/work/unit/notices.ts';
import type { Tenant, Work } from '../../../kernel/work/unit/work.ts';

/** One that is not the same for everybody who reads it. */
export interface PersonalNotice extends Notice {
  /** further values */
  readonly valuesFor?: (reader: Reader, reading: Reading) => NoticeValues;
  /** the entry for the reader's calendar; of mails only */
  readonly calendar?: (reader: Reader) => CalendarPart;
}

export interface Reader {
  readonly id: number;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** has a number that is verified, and wants text messages */
  readonly texts: boolean;
  /** in which they last read the pages of the business, as `fr-CA`; null: nothing is known */
  readonly locale: string | null;
  /** can log in on the pages of the business */
  readonly has_account: boolean;
}

export interface Setting {
  readonly type: string;
  readonly email_enabled: boolean | null;
  readonly sms_enabled: boolean | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly sms_body: string | null;
}

export const readSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Map<string, Setting>> => {
  const rows = await work.tx.rows<Setting>(
    sql`SELECT type, email_enabled, sms_enabled, subject, body, sms_body FROM notification_type_setting WHERE provider_id = ${work.providerId}`,
  );
  return new Map(rows.map((row) => [row.type, row]));
};

/** What customers read where nothing else is known of them. */
const usual = ({ reader = ENGLISH }: Tenant): Reading => reader;

/** The language of somebody at the business. */
const readingOf = ({ locale }: Pick<Reader, 'locale'>, tenant: Tenant): Reading =>
  readerOf(locale ?? undefined, null, usual(tenant));

/** A type as the business has it, and what it is written in. */
type AsSet = NoticeAsSent & { readonly reading: Reading };

/**
 * A type as the business has it. What it wrote itself stays as it is, and what else belongs to that notice is in the language
 * of the business too; the rest is in the language of the person who reads it.
 */
export function asSet(type: NoticeType, setting: Setting | undefined, tenant: Tenant, asked?: Reading): AsSet {
  const isOwn =
    type.freeform || [setting?.subject, setting?.body, setting?.sms_body].some((t) => typeof t === 'string');
  const reading = isOwn || !asked ? usual(tenant) : asked;
  const ours = noticeTexts(type, { words: tenant.words, reader: reading });
  return {
    ...type,
    reading,
    email: setting?.email_enabled ?? type.email,
    sms: setting?.sms_enabled ?? type.sms,
    subject: setting?.subject ?? ours.subject,
    body: setting?.body ?? ours.body,
    smsBody: setting?.sms_body ?? ours.smsBody,
    button: ours.button,
    language: setting?.body ? reading.language : ours.language,
  };
}

/** What a template becomes as the text of a mail: a field without a value leaves no hole behind. */
export const mailText = (template: string, values: Readonly<Record<string, string | null>>): string =>
  renderTemplate(template, values, { as: 'text' })
    .replaceAll(/[ \t]+(?=$|,)/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Queues them, in the transaction of whatever they tell of; each once by its key, whatever is repeated. */
export async function sendNotices(work: Work, notices: readonly PersonalNotice[]): Promise<Queued[]> {
  if (notices.length === 0) return [];
  const settings = await readSettings(work);
  const readers = await readersOf(work, [...new Set(notices.map((n) => n.customer))]);
  const people = await readPeople(work, [...new Set([...readers.values()].flat())]);
  const business = (await work.tx.one<{ name: string }>(
    sql`SELECT name FROM provider WHERE provider_id = ${work.providerId}`,
  ))!.name;
  const messages: NewMessage[] = [];
  const pushed: PushMessage[] = [];
  for (const notice of notices) {
    for (const reader of readersFor(notice, readers.get(notice.customer) ?? [], people)) {
      const { id } = reader;
      const setting = settings.get(notice.type.type);
      const type = asSet(notice.type, setting, work.tenant, readingOf(reader, work.tenant));
      const values = {
        ...(typeof notice.values === 'function' ? notice.values(type.reading) : notice.values),
        ...notice.valuesFor?.(reader, type.reading),
        'customer.first_name': reader.first_name,
        'business.name': business,
      };
      const common = {
        language: type.language,
        purpose: 'transactional',
        kind: type.type,
        to: { customer: id, about: notice.customer },
      } as const;
      const key = (channel: string) => `${type.type}:${notice.key}:${notice.customer}:${id}:${channel}`;
      if (type.email) {
        const text = mailText(type.body, values);
        messages.push({
          ...common,
          channel: 'email',
          subject: renderTemplate(type.subject, values, { as: 'subject' }),
          text,
          html: AS_TEXT,
          ...(type.button !== null && { button: type.button }),
          key: key('email'),
          ...(notice.recipient !== undefined && { number: notice.recipient }),
          ...(notice.calendar && reader.email && { calendar: notice.calendar(reader) }),
        });
      }
      // Who gave no number has nothing to be told was skipped.
      if (type.sms && reader.texts)
        messages.push({
          ...common,
          channel: 'sms',
          subject: null,
          text: renderTemplate(type.smsBody, values, { as: 'subject' }),
          key: key('sms'),
        });
      if (notice.push)
        pushed.push({
          customer: id,
          title: business,
          text: [renderTemplate(type.subject, values, { as: 'subject' }), notice.push.text(type.reading)]
            .filter(Boolean)
            .join('\n'),
          url: notice.push.url,
          until: notice.push.until - work.now + work.realNow,
          key: key('push'),
        });
    }
  }
  await queuePush(work, pushed);
  return queueMessages(work, messages);
}

/** Who reads it; an address that was given stands for the person who has it, of whom nothing else is known. */
function readersFor(
  { recipient, customer }: Notice,
  ids: readonly number[],
  people: ReadonlyMap<number, Reader>,
): Reader[] {
  if (recipient !== undefined)
    return [
      {
        id: customer,
        email: recipient,
        first_name: null,
        last_name: null,
        texts: false,
        locale: null,
        has_account: false,
      },
    ];
  return ids.flatMap((id) => people.get(id) ?? []);
}

/** Guests are not greeted by name: nobody has confirmed that the address is theirs. */
async function readPeople(work: Work, ids: readonly number[]): Promise<Map<number, Reader>> {
  const rows = await work.tx.rows<Reader>(sql`
    SELECT c.id, c.email, CASE WHEN NOT c.is_guest THEN c.first_name END AS first_name, c.last_name, c.locale, c.user_id IS NOT NULL AS has_account, coalesce(a.enabled AND a.verified_at IS NOT NULL, false) AS texts
    FROM customer c LEFT JOIN sms_account a ON a.provider_id = c.provider_id AND a.customer_id = c.id
    WHERE c.provider_id = ${work.providerId} AND c.id = ANY(${ids}::bigint[]) AND c.deleted_at IS NULL`);
  return new Map(rows.map((row) => [row.id, row]));
}
