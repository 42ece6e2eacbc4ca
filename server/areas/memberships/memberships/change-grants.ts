import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { grantFeed } from './feed.ts';
import { membershipRegistrationGrant } from './grant.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { moneyText, ref } from '../../../kernel/base/fields/kinds.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const f = membershipRegistrationGrant.fields;
const body = {
  membership: ref('membership'),
  registration_option: f.registration_option,
  on_allotment_price: moneyText(),
};

type Values = Partial<ValueOf<typeof body>>;

const columnsOf = (work: Work, { membership, registration_option: option, on_allotment_price: price }: Values) => ({
  membership_id: membership,
  offering_type_id: option,
  on_allotment_price_minor:
    price === undefined ? undefined : minorOf('on_allotment_price', price, work.tenant.currency),
});

/**
 * Allows a membership to be used for an offering type; from its first grant on, it is only for those that its grants
 * name. Returns the id.
 */
export async function createGrant(work: Work, grant: Required<Values>): Promise<number> {
  const id = await insertRow(work, 'membership_registration_grant', columnsOf(work, grant));
  work.record(grantFeed.created, id, { membership_registration_grant: id });
  return id;
}

export const changeGrants = changes(membershipRegistrationGrant, {
  path: '/membership_registration_grants',
  noun: 'membership grant',
  who,
  body,
  create: {
    description:
      'Lets the membership be used for an offering type. Once a membership has a grant, it can only be used for the offering types that its grants name.',
    problems: ['already_exists'],
    run: ({ work, body }) => createGrant(work, body),
  },
  update: {
    problems: ['already_exists'],
    run: async ({ work, body, target }) => {
      const changed = changedNames(body);
      if (changed.length > 0) {
        await updateRow(work, 'membership_registration_grant', target.id, columnsOf(work, body));
        work.record(grantFeed.updated, target.id, { membership_registration_grant: target.id, changed });
      }
    },
  },
  remove: {
    description:
      'Existing bookings stay. A membership without any grant can be used for everything that its allotment allows.',
    run: async ({ work, target }) => {
      await deleteRow(work, 'membership_registration_grant', target.id);
      work.record(grantFeed.deleted, target.id, { membership_registration_grant: target.id });
    },
  },
});
