/**
 * Actions that send messages to people. The ledger of messages sends what they queue, with its checks of consent and
 * addresses.
 */
import { formatWall } from '../../../../kernel/base/values/zone.ts';
import { findStaff } from './names.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { object, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { PURPOSES, queueMessages, type NewMessage, type Queued } from '../../messages/index.ts';
import { readersOf } from '../../../people/customers/index.ts';
import { renderTemplate, templateProblem, type TemplateField } from '../../../../kernel/base/values/template.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { withinQuota } from '../../../people/identity/index.ts';
import type { Acting, ActionKind, Outcome } from './action-kind.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const TEMPLATE_FIELDS: readonly TemplateField[] = [
  { name: 'customer.first_name', description: 'First name of the customer.', sample: 'Ada' },
  { name: 'customer.last_name', description: 'Last name of the customer.', sample: 'Byron' },
  { name: 'customer.email', description: 'Email address of the customer.', sample: 'ada@example.com' },
  { name: 'customer.status', description: "The customer's status.", sample: 'On trial' },
  { name: 'business.name', description: 'Name of the business.', sample: 'Harbour Lane' },
  {
    name: 'event.name',
    description: 'Name of the event that triggered the workflow, if there is one.',
    sample: 'Rowing',
  },
  { name: 'event.starts_at', description: 'When the event starts, in local time.', sample: '2026-05-01 18:00' },
];

const FIELDS_HINT = `Fields: ${TEMPLATE_FIELDS.map((f) => `{{${f.name}}}`).join(', ')}; {{customer.first_name|there}} uses the text after the bar if the field is empty.`;

const template = () =>
  object({ subject: text({ max: 255 }), body: text({ max: 20_000 }) }).describe(`Plain text. ${FIELDS_HINT}`);

const purpose = () =>
  oneOf(PURPOSES).describe(
    '`marketing` (the default) goes only to people who agreed to it; `transactional` is about what the customer has with the business.',
  );

type Values = Record<string, string | null>;

interface Template {
  readonly subject: string;
  readonly body: string;
}

async function valuesFor(work: Work, { customer, payload }: Acting): Promise<Values> {
  const event = typeof payload.event === 'number' ? payload.event : null;
  const [[row], [about]] = await work.tx.all([
    sql`SELECT c.first_name, c.last_name, c.email, p.name AS business,
               (SELECT s.name FROM customer_status s WHERE s.provider_id = c.provider_id
                 AND s.id = c.status_id) AS status
        FROM customer c JOIN provider p ON p.provider_id = c.provider_id
        WHERE c.provider_id = ${work.providerId} AND c.id = ${customer}`,
    sql`SELECT name, timezone, (extract(epoch FROM starts_at) * 1000)::bigint AS at FROM event
      WHERE provider_id = ${work.providerId} AND id = ${event}::bigint`,
  ]);
  return {
    'customer.first_name': row.first_name,
    'customer.last_name': row.last_name,
    'customer.email': row.email,
    'customer.status': row.status,
    'business.name': row.business,
    'event.name': about?.name ?? null,
    'event.starts_at': about ? formatWall(about.at, about.timezone).slice(0, 16).replace('T', ' ') : null,
  };
}

function check(property: string, written: string): void {
  const problem = templateProblem(written, TEMPLATE_FIELDS);
  if (problem) throw invalid(property, problem);
}

function checkTemplate({ subject, body }: Template): void {
  check('email_template.subject', subject);
  check('email_template.body', body);
}

/** Addresses messages to the people who read them for the customer: for a child, its managers. */
async function toReaders(
  work: Work,
  { customer, step }: Acting,
  message: Pick<NewMessage, 'channel' | 'purpose' | 'subject' | 'text'>,
): Promise<Outcome> {
  const readers = (await readersOf(work, [customer])).get(customer) ?? [];
  return send(
    work,
    readers.map((reader) => ({
      ...message,
      kind: 'workflow',
      to: { customer: reader, about: customer },
      key: `workflow:${step}:${reader}`,
    })),
  );
}

/** Emails with the business's own text count against its quota. */
async function send(work: Work, messages: readonly NewMessage[]): Promise<Outcome> {
  const emails = messages.filter((m) => m.channel === 'email').length;
  const queued = await withinQuota(work, emails, async () => {
    const result = await queueMessages(work, messages);
    return { result, unused: emails === 0 ? 0 : result.filter((q) => q.skipped !== null).length };
  });
  return queued ? outcome(queued) : { didNot: 'The email quota for this month is used up.' };
}

function outcome(queued: readonly Queued[]): Outcome {
  const sent = queued.filter((q) => q.skipped === null).map((q) => q.id);
  if (sent.length > 0) return { did: { messages: sent } };
  const reasons = [...new Set(queued.map((q) => q.skipped))].join(', ');
  return { didNot: reasons ? `The message was not sent: ${reasons}.` : 'There is nobody to send it to.' };
}

const rendered = ({ subject, body }: Template, values: Values) => ({
  subject: renderTemplate(subject, values, { as: 'subject' }),
  text: renderTemplate(body, values, { as: 'text' }),
});

export const messageKinds: Readonly<Record<string, ActionKind>> = {
  email_customer: {
    description: 'Sends an email to the customer.',
    needs: { email_template: template() },
    takes: { purpose: purpose() },
    async check(_work, { email_template }) {
      checkTemplate(email_template);
      return {};
    },
    act: async (work, acting, { email_template, purpose: why = 'marketing' }) =>
      toReaders(work, acting, {
        channel: 'email',
        purpose: why,
        ...rendered(email_template, await valuesFor(work, acting)),
      }),
  },

  sms_customer: {
    description: 'Sends a text message to the customer.',
    needs: { text: text({ max: 1600 }).describe(FIELDS_HINT) },
    takes: { purpose: purpose() },
    async check(_work, settings) {
      check('text', settings.text);
      return {};
    },
    act: async (work, acting, { text: written, purpose: why = 'marketing' }) =>
      toReaders(work, acting, {
        channel: 'sms',
        purpose: why,
        subject: null,
        text: renderTemplate(written, await valuesFor(work, acting), { as: 'text' }),
      }),
  },

  email_staff: {
    description: 'Sends an email to a staff member.',
    needs: {
      email_template: template(),
      staff: ref('staff').describe('The staff member who does the task or gets the message.'),
    },
    async check(work, { email_template, staff }) {
      checkTemplate(email_template);
      await findStaff(work, staff);
      return {};
    },
    async act(work, acting, { email_template, staff }) {
      await findStaff(work, staff);
      const message = rendered(email_template, await valuesFor(work, acting));
      return send(work, [
        {
          channel: 'email',
          purpose: 'transactional',
          kind: 'workflow',
          to: { staff },
          ...message,
          key: `workflow:${acting.step}:staff`,
        },
      ]);
    },
  },
};
