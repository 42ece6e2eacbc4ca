/** Writes notices: determines the readers, their channels and the texts. */
import { AS_TEXT, queueMessages, type CalendarPart, type NewMessage, type Queued } from '../messages/index.ts';
import { queuePush, type PushMessage } from '../push/index.ts';
import { renderTemplate } from '../../../kernel/base/values/template.ts';
import { ENGLISH, readerOf, type Reader as Reading } from '../../../kernel/base/languages/languages.ts';
import { participantWords } from './rules/words.ts';
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

/** A notice that differs from reader to reader. */
export interface PersonalNotice extends Notice {
  /** additional values */
  readonly valuesFor?: (reader: Reader, reading: Reading) => NoticeValues;
  /** the entry for the reader's calendar; for emails only */
  readonly calendar?: (reader: Reader) => CalendarPart;
}

export interface Reader {
  readonly id: number;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** has a verified number, and wants text messages */
  readonly texts: boolean;
  /** the language in which they last read the pages of the business, for example `fr-CA`; null: unknown */
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
    sql`SELECT type, email_enabled, sms_enabled, subject, body, sms_body FROM notification_type_setting
      WHERE provider_id = ${work.providerId}`,
  );
  return new Map(rows.map((row) => [row.type, row]));
};

/** Returns the default language of customers, for those whose own is unknown. */
const usual = ({ reader = ENGLISH }: Tenant): Reading => reader;

/** Returns the language of a reader at the business. */
const readingOf = ({ locale }: Pick<Reader, 'locale'>, tenant: Tenant): Reading =>
  readerOf(locale ?? undefined, null, usual(tenant));

/** A notice type with the business's settings, and the language of its texts. */
type AsSet = NoticeAsSent & { readonly reading: Reading };

/**
 * Applies the business's settings to a type. Texts that the business wrote remain unchanged, and the rest of that
 * notice is in the language of the business as well; all other notices are in the language of the reader.
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

/** A line that is a single field, without a fallback. */
const FIELD_LINE = /^[ \t]*\{\{\s*([\w.]+)\s*\}\}[ \t]*\n/gm;

/** Drops lines that would be empty within a paragraph, which would end it there. */
const withoutEmptyLines = (template: string, values: Readonly<Record<string, string | null>>): string =>
  template.replaceAll(FIELD_LINE, (line, name: string) => (values[name] ? line : ''));

/** Returns the text of an email from a template: a field without a value leaves no gap. */
export const mailText = (template: string, values: Readonly<Record<string, string | null>>): string =>
  renderTemplate(withoutEmptyLines(template, values), values, { as: 'text' })
    .replaceAll(/[ \t]+(?=$|,)/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Queues notices in the transaction of their occasion; each only once by its key, however often that is repeated. */
export async function sendNotices(work: Work, notices: readonly PersonalNotice[]): Promise<Queued[]> {
  if (notices.length === 0) return [];
  const settings = await readSettings(work);
  const readers = await readersOf(work, [...new Set(notices.map((n) => n.customer))]);
  const people = await readPeople(work, [...new Set([...readers.values()].flat())]);
  const { name: business, slug } = (await work.tx.one<{ name: string; slug: string | null }>(
    sql`SELECT name, slug FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  const site = `${work.installation.baseUrl}/${slug ?? `account/${work.providerId}/profile`}`;
  const messages: NewMessage[] = [];
  const pushed: PushMessage[] = [];
  for (const notice of notices) {
    for (const reader of readersFor(notice, readers.get(notice.customer) ?? [], people)) {
      const { id } = reader;
      const setting = settings.get(notice.type.type);
      const type = asSet(notice.type, setting, work.tenant, readingOf(reader, work.tenant));
      const own = typeof notice.values === 'function' ? notice.values(type.reading) : notice.values;
      const values = {
        ...participantWords(id === notice.customer, own['participant.first_name'] ?? ''),
        ...own,
        ...notice.valuesFor?.(reader, type.reading),
        'customer.first_name': reader.first_name,
        'business.name': business,
        'business.url': site,
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
      // For a reader without a number, no skipped text message is recorded.
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

/** Returns the readers; an address that was given belongs to a person about whom nothing else is known. */
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

/** Guests aren't greeted by name: nobody has confirmed that the address is theirs. */
async function readPeople(work: Work, ids: readonly number[]): Promise<Map<number, Reader>> {
  const rows = await work.tx.rows<Reader>(sql`
    SELECT c.id, c.email, CASE WHEN NOT c.is_guest THEN c.first_name END AS first_name, c.last_name, c.locale,
      c.user_id IS NOT NULL AS has_account, coalesce(a.enabled AND a.verified_at IS NOT NULL, false) AS texts
    FROM customer c LEFT JOIN sms_account a ON a.provider_id = c.provider_id AND a.customer_id = c.id
    WHERE c.provider_id = ${work.providerId} AND c.id = ANY(${ids}::bigint[]) AND c.deleted_at IS NULL`);
  return new Map(rows.map((row) => [row.id, row]));
}
