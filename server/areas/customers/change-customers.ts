import { action, create, one, staffWith, update, type Who } from '../../kernel/api/endpoint.ts';
import { boolean, text } from '../../kernel/api/kinds.ts';
import { invite } from '../identity/index.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { sql } from '../../kernel/db/sql.ts';
import { checkActsFor } from './acting.ts';
import { changeCustomer, createCustomer, familyOf } from './writes.ts';
import { customer, writable } from './customer.ts';

/** Staff with `customers`; people for themselves and for the children they manage. */
const whoChanges: Who = { provider: ['customers'], customer: true, unregistered: false };

const create_customer = create(customer, {
  path: '/customers',
  summary: 'Enter a customer',
  description: 'With `send_invitation_email` the person is invited to claim the profile. Invitations count against the e-mail quota of the business, if there is one.',
  who: staffWith('super_admin'),
  body: {
    first_name: writable.first_name,
    last_name: writable.last_name,
    email: writable.email,
    date_of_birth: writable.date_of_birth.optional(),
    venue: writable.venue.optional(),
    invitation_note: text({ max: 2000 }).optional(),
    send_invitation_email: boolean().default(true),
    is_opted_into_broadcast_messages: writable.is_opted_into_broadcast_messages.optional(),
    is_opted_into_sms_marketing: writable.is_opted_into_sms_marketing.optional(),
  },
  problems: ['already_exists', 'quota_exceeded'],
  run: async ({ work, body }) => {
    const { invitation_note, send_invitation_email, ...values } = body;
    checkBirth(values.date_of_birth, work.now);
    const id = await createCustomer(work, values);
    if (send_invitation_email) {
      await work.tx.run(sql`INSERT INTO customer_invitation (provider_id, customer_id, note) VALUES (${work.providerId}, ${id}, ${invitation_note ?? null})`);
      await invite(work, { customer: id });
    }
    return id;
  },
});

const update_customer = update(customer, {
  path: '/customers/{id}',
  summary: 'Change a customer',
  who: whoChanges,
  body: {
    first_name: writable.first_name,
    last_name: writable.last_name,
    visibility: writable.visibility,
    date_of_birth: writable.date_of_birth.optional(),
    venue: writable.venue.optional(),
    is_opted_into_broadcast_messages: writable.is_opted_into_broadcast_messages.optional(),
    is_opted_into_sms_marketing: writable.is_opted_into_sms_marketing.optional(),
  },
  run: async ({ work, body, target }) => {
    await checkActsFor(work, target.id);
    checkBirth(body.date_of_birth, work.now);
    await changeCustomer(work, target.id, body);
    return target.id;
  },
});

const add_child = action({
  path: '/customers/{id}/add_child',
  summary: 'Add a child to the family',
  description: 'The customer becomes manager of a family where there is none yet. Answers the child.',
  who: whoChanges,
  target: customer,
  body: { first_name: writable.first_name, last_name: writable.last_name, date_of_birth: writable.date_of_birth.optional() },
  returns: one(customer),
  run: async ({ work, body, target }) => {
    await checkActsFor(work, target.id);
    if (target.family_role === 'child') throw invalid('id', 'A child cannot have children in the family; add them to its manager.');
    checkBirth(body.date_of_birth, work.now);
    const family = await familyOf(work, target.id, target.family_id);
    return createCustomer(work, { ...body, family_id: family, family_role: 'child' });
  },
});

const participation = action({
  method: 'PUT',
  path: '/customers/{id}/participation',
  summary: 'Say whether the customer takes part, or only manages a family',
  who: whoChanges,
  target: customer,
  body: { participating: boolean() },
  returns: one(customer),
  run: async ({ work, body, target }) => {
    await checkActsFor(work, target.id);
    await changeCustomer(work, target.id, { participating: body.participating });
    return target.id;
  },
});

function checkBirth(date: string | null | undefined, now: number): void {
  if (date && (date > new Date(now + 86_400_000).toISOString().slice(0, 10) || date < '1880-01-01')) {
    throw invalid('date_of_birth', 'Must be a date of birth in the past.');
  }
}

export const changeCustomers = [create_customer, ...update_customer, add_child, participation];
