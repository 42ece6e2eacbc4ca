/** What somebody looks at before anything is sent: who would get it, how much may be sent, and how it looks in a mailbox. */
import { action, answer, paging } from '../../kernel/api/endpoint.ts';
import { broadcastMessage, countFields } from './broadcast-message.ts';
import { checkComplete, checkContent, rendered, sampleOf, valuesOf, type Content, type Reader } from './template.ts';
import { countAudience, everybody, EXCLUSIONS, judged, type Addressed } from './audience.ts';
import { find, lookingOf, type Target } from './target.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { listOf, id, object, oneOf, ref, text } from '../../kernel/api/kinds.ts';
import { queueMessage } from '../messages/index.ts';
import { quotaAt, quotaShape, take } from '../identity/index.ts';
import { raw, sql } from '../../kernel/db/sql.ts';
import { randomUUID } from 'node:crypto';
import { who } from './change-broadcasts.ts';
import type { Work } from '../../kernel/work.ts';

const f = broadcastMessage.fields;
const path = '/communication/broadcast_messages';

const person = object({
  customer: id(),
  first_name: text().nullable(),
  last_name: text().nullable(),
  address: text().nullable().describe('Where it would go; null: there is none.'),
  excluded: oneOf(EXCLUSIONS).nullable().describe('Why it would not; null: it would.'),
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

async function sample(work: Work, target: Target, addressed: Addressed, show: keyof typeof SHOWN, { page, page_size }: Page) {
  const size = Math.min(page_size, MOST_SHOWN);
  const found = await find(lookingOf(work), target);
  const rows = await work.tx.rows(
    sql`SELECT a.id, a.first_name, a.last_name, a.address, a.reason FROM (${judged(everybody(found), addressed)}) a WHERE ${SHOWN[show]} ORDER BY a.id LIMIT ${size}::bigint OFFSET ${(page - 1) * size}::bigint`,
    found.input,
  );
  return rows.map(({ id: customer, first_name, last_name, address, reason }) => ({ customer, first_name, last_name, address, excluded: reason }));
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
  if (reader === null) throw invalid('staff', 'Say which staff member is to get it: the caller is none.');
  return reader;
}

async function sendTest(work: Work, { message, subject, html = null, staff, customer }: TestMail) {
  const content: Content = { channel: 'email', subject, message, html };
  checkContent(content);
  checkComplete(content);
  const reader = readerOf(work, staff);
  const { name } = (await work.tx.one<{ name: string }>(sql`SELECT name FROM provider WHERE provider_id = ${work.providerId}`))!;
  const as = customer === undefined ? undefined : await work.tx.one<Reader>(sql`SELECT first_name, last_name, email FROM customer WHERE provider_id = ${work.providerId} AND id = ${customer}`);
  const mail = rendered(content, as ? valuesOf(as, name) : sampleOf(name));
  const queued = await queueMessage(work, { ...mail, subject: `[Test] ${mail.subject}`, purpose: 'transactional', kind: 'broadcast_test', to: { staff: reader }, key: `broadcast_test:${randomUUID()}` });
  if (queued.skipped !== null) throw invalid('staff', `Cannot be written to: ${queued.skipped}.`);
  await take(work, work.now, 1);
  work.audit({ action: `POST ${path}/send_test_email`, object: 'message', objectId: queued.id, before: null, after: { staff: reader, subject } });
  work.effect('send_test_email', 'message', queued.id, { staff: reader });
  const sent = await work.tx.one<{ recipient: string }>(sql`SELECT recipient FROM message WHERE provider_id = ${work.providerId} AND id = ${queued.id}`);
  return { message: queued.id, recipient: sent!.recipient };
}

export const previewEndpoints = [
  action({
    method: 'GET',
    path: `${path}/email_quota`,
    summary: 'Get how many e-mails may still be sent',
    description: 'Of broadcasts and their tests, in a month on the clocks of the business. Scheduled ones count in the month in which they go out, from the moment they are scheduled.',
    who,
    returns: answer(quotaShape),
    run: ({ work }) => quotaAt(work, work.now),
  }),
  action({
    path: `${path}/recipients_preview`,
    summary: 'See who would get a broadcast message',
    description: 'Counts are exact, and of this moment. `sample` is a page of the people, with the reason for each who would not get it.',
    who,
    silent: 'it only looks',
    body: {
      target_recipients: f.target_recipients,
      channel: f.channel.default('email'),
      use_case: f.use_case.default('marketing'),
      ...paging(MOST_SHOWN),
      show: oneOf(['all', 'recipients', 'excluded']).default('all').describe('Who is in `sample`.'),
    },
    returns: answer({ ...countFields, sample: listOf(person), email_quota: object(quotaShape).nullable().describe('Null for SMS, which has none.') }),
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
    summary: 'Send a broadcast message to a staff member to look at',
    description: 'With samples for the merge fields, or what they stand for with a customer. Counts as one e-mail of the quota.',
    who,
    silent: 'a test is a message of the ledger alone: nothing of the business changes by it',
    body: {
      message: f.message,
      subject: f.subject.notNull(),
      html: f.html.optional(),
      staff: ref('staff').optional().describe('Who gets it; absent: the caller.'),
      customer: ref('customer').optional().describe('Whose name and address stand in for the merge fields.'),
    },
    returns: answer({ message: id().describe('Of the ledger.'), recipient: text() }),
    problems: ['quota_exceeded'],
    run: ({ work, body }) => sendTest(work, body as TestMail),
  }),
];
