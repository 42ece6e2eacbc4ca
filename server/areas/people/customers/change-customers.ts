import { changes } from '../../../kernel/api/resource-changes.ts';
import { action, one, staffWith, type Who } from '../../../kernel/api/endpoint.ts';
import { boolean, text } from '../../../kernel/base/fields/kinds.ts';
import { invite, IDENTITY_PROBLEMS } from '../identity/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { checkActsFor } from './acting.ts';
import { changeCustomer, createCustomer, familyOf } from './writes.ts';
import { writeFieldValues } from './field-values.ts';
import { checkReferral } from './unsupported-fields.ts';
import { customer, writable } from './customer.ts';
import { customerFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Staff with `customers`; customers for themselves and for the children they manage. */
const whoChanges: Who = { provider: ['customers'], customer: true, unregistered: false };

/** Properties of a new customer and of a stored one; those of children are fewer. */
const child = {
  first_name: writable.first_name,
  last_name: writable.last_name,
  date_of_birth: writable.date_of_birth.optional(),
  field_values: writable.field_values.optional(),
};
const person = {
  ...child,
  venue: writable.venue.optional(),
  is_opted_into_broadcast_messages: writable.is_opted_into_broadcast_messages.optional(),
  is_opted_into_sms_marketing: writable.is_opted_into_sms_marketing.optional(),
};

const customerChanges = changes(customer, {
  path: '/customers',
  noun: 'customer',
  who: staffWith('super_admin'),
  body: {
    ...person,
    visibility: writable.visibility,
    is_status_locked: writable.is_status_locked.optional(),
    staff_assignments: writable.staff_assignments.optional(),
    pays_for_family: writable.pays_for_family.optional(),
  },
  first: {
    ...person,
    email: writable.email.nullable().optional(),
    invitation_note: text({ max: 2000 }).optional(),
    send_invitation_email: boolean().optional().describe('Defaults to true if there is an email address.'),
    referral_code: writable.referral_code.optional(),
  },
  create: {
    description:
      'Only names are required. A customer with an email address is invited to claim the profile, unless `send_invitation_email` is false. Invitations count against the email quota of the business, if there is one. A dry run with a `referral_code` also says what the customer gets for it.',
    problems: ['already_exists', IDENTITY_PROBLEMS.quota_exceeded],
    run: async ({ work, body, dryRun }) => {
      const {
        invitation_note,
        send_invitation_email: invites = Boolean(body.email),
        field_values,
        referral_code,
        ...values
      } = body;
      if (invites && !body.email)
        throw invalid('send_invitation_email', 'Needs an email address. Send `email` too, or leave this out.');
      checkBirth(values.date_of_birth, work.now);
      await checkReferral(work.tx, work.providerId, referral_code);
      const id = await createCustomer(work, { ...values, referred_by_code: referral_code });
      await writeFieldValues(work, id, field_values);
      if (invites) {
        await work.tx.run(
          sql`INSERT INTO customer_invitation (provider_id, customer_id, note)
            VALUES (${work.providerId}, ${id}, ${invitation_note ?? null})`,
        );
        await invite(work, { customer: id });
      }
      if (dryRun && referral_code) await work.registry.previewEffects(work, customerFeed.created, id);
      return id;
    },
  },
  update: {
    who: whoChanges,
    run: async ({
      work,
      body: { is_status_locked: lock, staff_assignments: assigned, pays_for_family: pays, field_values, ...values },
      target,
    }) => {
      await checkActsFor(work, target.id);
      checkBirth(values.date_of_birth, work.now);
      await changeCustomer(work, target.id, {
        ...values,
        ...forStaff(work, { is_status_locked: lock, staff_assignments: assigned }),
        ...payingFor(work, target.pays_for_family, pays),
      });
      await writeFieldValues(work, target.id, field_values);
    },
  },
});

interface KeptByStaff {
  readonly is_status_locked: boolean | undefined;
  readonly staff_assignments: readonly number[] | undefined;
}

/**
 * Customers see neither property. If they send back a whole record, the placeholder that they were shown changes
 * nothing.
 */
function forStaff({ viewer }: Work, kept: KeptByStaff): Partial<KeptByStaff> {
  if (viewer.mode === 'provider') return kept;
  if (!kept.is_status_locked && (kept.staff_assignments ?? []).length === 0) return {};
  throw new Problem('permission_denied', 'Only staff can lock the status of a customer or assign staff to them.');
}

/** Customers can send the property back as they read it. */
function payingFor({ viewer }: Work, before: boolean, pays: boolean | undefined) {
  if (pays === undefined || pays === before) return {};
  if (viewer.mode === 'provider') return { pays_for_family: pays };
  throw new Problem('permission_denied', {
    staff: 'Only staff can change who pays for the family.',
    customer: 'Only the business can change who pays for the family. Please ask them.',
  });
}

const add_child = action({
  path: '/customers/{id}/add_child',
  summary: 'Add a child to the family',
  description: 'If the customer has no family yet, they become the manager of a new one. Returns the child.',
  who: whoChanges,
  target: customer,
  body: child,
  returns: one(customer),
  run: async ({ work, body: { field_values, ...body }, target }) => {
    await checkActsFor(work, target.id);
    if (target.family_role === 'child')
      throw invalid('id', 'A child can’t have children in the family. Add them to the manager of the family.');
    checkBirth(body.date_of_birth, work.now);
    const family = await familyOf(work, target.id, target.family_id);
    const id = await createCustomer(work, { ...body, family_id: family, family_role: 'child' });
    await writeFieldValues(work, id, field_values);
    return id;
  },
});

const participation = action({
  method: 'PUT',
  path: '/customers/{id}/participation',
  summary: 'Set whether a customer takes part or only manages a family',
  who: whoChanges,
  target: customer,
  body: { participating: boolean(), field_values: writable.field_values.optional() },
  returns: one(customer),
  run: async ({ work, body: { participating, field_values }, target }) => {
    await checkActsFor(work, target.id);
    await changeCustomer(work, target.id, { participating });
    await writeFieldValues(work, target.id, field_values);
    return target.id;
  },
});

function checkBirth(date: string | null | undefined, now: number): void {
  if (date && (date > new Date(now + 86_400_000).toISOString().slice(0, 10) || date < '1880-01-01')) {
    throw invalid('date_of_birth', say`Must be a date of birth in the past.`);
  }
}

export const changeCustomers = [...customerChanges, add_child, participation];
