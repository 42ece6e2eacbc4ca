import { boolean, id, money, oneOf, ref } from '../../kernel/api/kinds.ts';
import { offeringType } from '../offerings/index.ts';
import { raw } from '../../kernel/db/sql.ts';
import { resource } from '../../kernel/api/resource.ts';

/** Every offering type has one, which is told of it: there is nothing to keep beside it, and both can never disagree. */
export const registrationOption = resource('registration_option', {
  description: 'How one registers for an offering type: what a drop-in costs, or that it takes a membership.',
  table: 'offering_type',
  fields: {
    id: id(),
    offering_type: ref('offering_type', 'id'),
    drop_in_price: money().from((t) => raw(`${t}.dropin_price_minor`)),
    requires_membership_grant: boolean().from((t) => raw(`NOT ${t}.allows_dropins`)).describe('Without drop-ins it takes a membership that covers the offering type.'),
    type: oneOf(['offering_type', 'time_slot', 'course']).from((t) => raw(`CASE ${t}.schedule_type WHEN 'course' THEN 'course' ELSE 'offering_type' END`)),
  },
  visible: offeringType.visible,
});

export const membershipRegistrationGrant = resource('membership_registration_grant', {
  description: 'That a membership is for an offering type. With grants it is for those that they name, without any for whichever its allotment allows.',
  fields: {
    id: id(),
    membership: ref('membership'),
    registration_option: ref('registration_option', 'offering_type_id'),
    on_allotment_price: money().from((t) => raw(`${t}.on_allotment_price_minor`)).describe('What each use costs besides.'),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
