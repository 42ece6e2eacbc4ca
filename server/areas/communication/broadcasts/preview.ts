/**
 * Previews before anything is sent: the recipients, the number that may be sent, and the message as it looks in a
 * mailbox.
 */
import { action, answer, paging, read } from '../../../kernel/api/endpoint.ts';
import { broadcastMessage, countFields } from './broadcast-message.ts';
import { checkComplete, checkContent, rendered, sampleOf, valuesOf, type Content, type Reader } from './template.ts';
import { countAudience, everybody, EXCLUSIONS, judged, reachedWithin, type Addressed } from './audience.ts';
import { find, lookupContext, type Target } from './target.ts';
import { listOf, id, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { IDENTITY_PROBLEMS, quotaAt, quotaShape, textQuotaAt, textQuotaShape } from '../../people/identity/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { readLetterhead } from '../../platform/providers/index.ts';
import { sendTestMail, testMailShape, type Channel } from '../messages/index.ts';
import { who } from './change-broadcasts.ts';
import { writeMail } from '../../../kernel/base/mail/layout.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = broadcastMessage.fields;
const path = '/communication/broadcast_messages';

const person = object({
  customer: id(),
  first_name: text().nullable(),
  last_name: text().nullable(),
  address: text().nullable().describe('The address it would go to. Null if there is none.'),
  excluded: oneOf(EXCLUSIONS).nullable().describe('Why the person would not get it. Null if they would.'),
});

const MAX_SHOWN = 100;
const SHOWN = { all: raw('true'), recipients: raw('a.reason IS NULL'), excluded: raw('a.reason IS NOT NULL') } as const;

interface Page {
  readonly page: number;
  readonly page_size: number;
}

interface Preview extends Addressed, Page {
  readonly target_recipients: Target;
  readonly show: keyof typeof SHOWN;
}

async function sample(
  work: Work,
  target: Target,
  addressed: Addressed,
  show: keyof typeof SHOWN,
  { page, page_size }: Page,
  room: number | null,
) {
  const size = Math.min(page_size, MAX_SHOWN);
  const found = await find(lookupContext(work), target);
  const people = reachedWithin(judged(everybody(found), addressed), room);
  const rows = await work.tx.rows(
    sql`SELECT a.id, a.first_name, a.last_name, a.address, a.reason FROM (${people}) a WHERE ${SHOWN[show]}
      ORDER BY a.id LIMIT ${size}::bigint OFFSET ${(page - 1) * size}::bigint`,
    found.input,
  );
  return rows.map(({ id: customer, first_name, last_name, address, reason }) => ({
    customer,
    first_name,
    last_name,
    address,
    excluded: reason,
  }));
}

interface TestMail {
  readonly message: string;
  readonly subject: string;
  readonly html?: string | null;
  readonly staff?: number;
  readonly customer?: number;
}

/** Fills in merge fields for the customer; absent: with sample values. @throws Problem that names the property */
async function filledIn(work: Work, content: Content, customer: number | undefined) {
  checkContent(content);
  const { name } = (await work.tx.one<{ name: string }>(
    sql`SELECT name FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  const as =
    customer === undefined
      ? undefined
      : await work.tx.one<Reader>(
          sql`SELECT first_name, last_name, email FROM customer
            WHERE provider_id = ${work.providerId} AND id = ${customer}`,
        );
  return rendered(content, as ? valuesOf(as, name) : sampleOf(name));
}

async function sendTest(work: Work, { message, subject, html = null, staff, customer }: TestMail) {
  const content: Content = { channel: 'email', subject, message, html };
  checkComplete(content);
  const mail = await filledIn(work, content, customer);
  return sendTestMail(work, {
    kind: 'broadcast_test',
    path: `${path}/send_test_email`,
    mail,
    ...(staff !== undefined && { staff }),
  });
}

interface Draft {
  readonly channel: Channel;
  readonly subject?: string | null;
  readonly message: string;
  readonly html?: string | null;
  readonly customer?: number;
}

async function show(work: Work, { channel, subject = null, message, html = null, customer }: Draft) {
  const content = await filledIn(work, { channel, subject, message, html }, customer);
  if (channel === 'sms') return { subject: null, text: content.text, html: null };
  return writeMail(await readLetterhead(work), {
    ...content,
    subject: content.subject ?? '',
    language: 'en',
  });
}

const asCustomer = ref('customer').optional().describe('The customer whose name and address fill the merge fields.');

export const previewEndpoints = [
  read({
    path: `${path}/email_quota`,
    summary: 'Get the remaining email quota',
    description:
      'The quota counts broadcasts and their tests in a calendar month in the time zone of the business. A scheduled broadcast counts in the month in which it is sent, from the moment it is scheduled.',
    who,
    returns: answer(quotaShape),
    run: ({ work }) => quotaAt(work, work.now),
  }),
  action({
    path: `${path}/recipients_preview`,
    summary: 'Preview who would get a broadcast message',
    description:
      'The counts are exact and current. `sample` is a page of the people, with the reason for each who would not get it.',
    who,
    silent: 'it only looks',
    body: {
      target_recipients: f.target_recipients,
      channel: f.channel.default('email'),
      use_case: f.use_case.default('marketing'),
      ...paging(MAX_SHOWN),
      show: oneOf(['all', 'recipients', 'excluded']).default('all').describe('Which people to list in `sample`.'),
    },
    returns: answer({
      ...countFields,
      sample: listOf(person),
      email_quota: object(quotaShape).nullable().describe('Null for SMS.'),
      sms_quota: object(textQuotaShape)
        .nullable()
        .describe(
          'Number of text messages left this month. People who exceed it are excluded with the reason `quota`. Null for email, and if there is no quota.',
        ),
    }),
    run: async ({ work, body }) => {
      const { target_recipients: target, channel, use_case, show, ...page } = body as Preview;
      const texts = channel === 'sms' ? await textQuotaAt(work, work.now) : null;
      const room = texts && texts.remaining;
      return {
        ...(await countAudience(work, target, { channel, use_case }, room)),
        sample: await sample(work, target, { channel, use_case }, show, page, room),
        email_quota: channel === 'email' ? await quotaAt(work, work.now) : null,
        sms_quota: texts,
      };
    },
  }),
  action({
    path: `${path}/preview`,
    summary: 'Preview a broadcast message with sample values',
    description:
      'Returns the message as it is sent: of an email with the name, the color and the address of the business. Merge fields are filled with samples, or with the values of a customer. Nothing is saved or sent.',
    who,
    silent: 'it shows how a text would read, and saves nothing',
    body: {
      message: f.message,
      subject: f.subject.optional(),
      html: f.html.optional(),
      channel: f.channel.default('email'),
      customer: asCustomer,
    },
    returns: answer({
      subject: text({ blank: true }).nullable(),
      // Merge fields can make a text many times as long.
      text: text({ blank: true, max: 250_000 }),
      html: text({ blank: true, max: 1_000_000 }).nullable(),
    }),
    run: ({ work, body }) => show(work, body as Draft),
  }),
  action({
    path: `${path}/send_test_email`,
    summary: 'Send a test of a broadcast message to a staff member',
    description:
      'Merge fields are filled with samples, or with the values of a customer. Counts as one email of the quota.',
    who,
    silent: 'a test is a message of the ledger alone: nothing of the business changes by it',
    body: {
      message: f.message,
      subject: f.subject.notNull(),
      html: f.html.optional(),
      staff: ref('staff').optional().describe('Recipient. If left out, the caller.'),
      customer: asCustomer,
    },
    returns: answer(testMailShape),
    problems: [IDENTITY_PROBLEMS.quota_exceeded],
    run: ({ work, body }) => sendTest(work, body as TestMail),
  }),
];
