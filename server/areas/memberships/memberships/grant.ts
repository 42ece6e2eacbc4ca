import { boolean, id, money, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { offeringType } from '../../scheduling/offerings/index.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

/** Derived from the offering type, which has exactly one: nothing is stored separately, so the two can't disagree. */
export const registrationOption = resource('registration_option', {
  description: 'Ways to register for an offering type: the price of a drop-in, or that a membership is needed.',
  table: 'offering_type',
  fields: {
    id: id(),
    offering_type: ref('offering_type', 'id'),
    drop_in_price: money().from((t) => raw(`${t}.dropin_price_minor`)),
    requires_membership_grant: boolean()
      .from((t) => raw(`NOT ${t}.allows_dropins`))
      .describe('If there are no drop-ins, a membership that covers the offering type is needed.'),
    type: oneOf(['offering_type', 'time_slot', 'course']).from((t) =>
      raw(`CASE ${t}.schedule_type WHEN 'course' THEN 'course' ELSE 'offering_type' END`),
    ),
  },
  visible: offeringType.visible,
});

export const membershipRegistrationGrant = resource('membership_registration_grant', {
  description:
    'An offering type that a membership can be used for. A membership with grants covers the offering types that they name; without any, it covers everything that its allotment allows.',
  fields: {
    id: id(),
    membership: ref('membership'),
    registration_option: ref('registration_option', 'offering_type_id'),
    on_allotment_price: money()
      .from((t) => raw(`${t}.on_allotment_price_minor`))
      .describe('The extra price of each use.'),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
