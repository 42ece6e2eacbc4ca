/**
 * What somebody looks at before anything is sent: who would get it, how much may be sent, and how it looks in a
 * mailbox.
 */
import { action, answer, paging, read } from '../../../kernel/api/endpoint.ts';
import { broadcastMessage, countFields } from './broadcast-message.ts';
import { checkComplete, checkContent, rendered, sampleOf, valuesOf, type Content, type Reader } from './template.ts';
import { countAudience, everybody, EXCLUSIONS, judged, type Addressed } from './audience.ts';
import { find, lookingOf, type Target } from './target.ts';
import { invalid } from '../../../kernel/api/problem.ts';
import { listOf, id, object, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { queueMessage } from '../messages/index.ts';
import { quotaAt, quotaShape, take, IDENTITY_PROBLEMS } from '../../people/identity/index.ts';
import { raw, sql } from '../../../kernel/db/sql.ts';
import { randomUUID } from 'node:crypto';
import { who } from './change-broadcasts.ts';
import type { Work } from '../../../kernel/work.ts';

const f = broadcastMessage.fields;
const path = '/communication/broadcast_messages';

const person = object({
  customer: id(),
  first_name: text().nullable(),
  last_name: text().nullable(),
  address: text().nullable().describe('The address it would go to. Null if there is none.'),
  excluded: oneOf(EXCLUSIONS).nullable().describe('Why the person would not get it. Null if they would.'),
});

const MOST_SHOWN = 100;
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
) {
  const size = Math.min(page_size, MOST_SHOWN);
  const found = await find(lookingOf(work), target);
  const rows = await work.tx.rows(
    sql`SELECT a.id, a.first_name, a.last_name, a.address, a.reason FROM (${judged(everybody(found), addressed)}) a WHERE ${SHOWN[show]} ORDER BY a.id LIMIT ${size}::bigint OFFSET ${(page - 1) * size}::bigint`,
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

/** The staff member who looks, or who is named: it goes to nobody else. */
function readerOf({ viewer }: Work, staff: number | undefined): number {
  const reader = staff ?? viewer.staffId;
  if (reader === null) throw invalid('staff', 'Name the staff member who gets it, because the caller is not one.');
  return reader;
}

async function sendTest(work: Work, { message, subject, html = null, staff, customer }: TestMail) {
  const content: Content = { channel: 'email', subject, message, html };
  checkContent(content);
  checkComplete(content);
  const reader = readerOf(work, staff);
  const { name } = (await work.tx.one<{ name: string }>(
    sql`SELECT name FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  const as =
    customer === undefined
      ? undefined
      : await work.tx.one<Reader>(
          sql`SELECT first_name, last_name, email FROM customer WHERE provider_id = ${work.providerId} AND id = ${customer}`,
        );
  const mail = rendered(content, as ? valuesOf(as, name) : sampleOf(name));
  const queued = await queueMessage(work, {
    ...mail,
    subject: `[Test] ${mail.subject}`,
    purpose: 'transactional',
    kind: 'broadcast_test',
    to: { staff: reader },
    key: `broadcast_test:${randomUUID()}`,
  });
  if (queued.skipped !== null) throw invalid('staff', `The message can't be sent: ${queued.skipped}.`);
  await take(work, work.now, 1);
  work.audit({
    action: `POST ${path}/send_test_email`,
    object: 'message',
    objectId: queued.id,
    before: null,
    after: { staff: reader, subject },
  });
  work.effect('send_test_email', 'message', queued.id, { staff: reader });
  const sent = await work.tx.one<{ recipient: string }>(
    sql`SELECT recipient FROM message WHERE provider_id = ${work.providerId} AND id = ${queued.id}`,
  );
  return { message: queued.id, recipient: sent!.recipient };
}

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
      ...paging(MOST_SHOWN),
      show: oneOf(['all', 'recipients', 'excluded']).default('all').describe('Which people to list in `sample`.'),
    },
    returns: answer({
      ...countFields,
      sample: listOf(person),
      email_quota: object(quotaShape).nullable().describe('Null for SMS, which has no quota.'),
    }),
    run: async ({ work, body }) => {
      const { target_recipients: target, channel, use_case, show, ...page } = body as Preview;
      return {
        ...(await countAudience(work, target, { channel, use_case })),
        sample: await sample(work, target, { channel, use_case }, show, page),
        email_quota: channel === 'email' ? await quotaAt(work, work.now) : null,
      };
    },
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
      staff: ref('staff').optional().describe('Who gets it. If left out, the caller.'),
      customer: ref('customer').optional().describe('The customer whose name and address fill the merge fields.'),
    },
    returns: answer({ message: id().describe('Id of the message.'), recipient: text() }),
    problems: [IDENTITY_PROBLEMS.quota_exceeded],
    run: ({ work, body }) => sendTest(work, body as TestMail),
  }),
];
