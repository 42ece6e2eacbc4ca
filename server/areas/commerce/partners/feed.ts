import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { MESSAGE_TYPES } from './partner.ts';

export const partnerFeed = feedKinds(
  'partner',
  { partner: id() },
  {
    created: 'A door or booking platform was added.',
    updated: 'A door or booking platform was changed; `changed` names the properties.',
    deleted: 'A door or booking platform was deleted.',
  },
);

export const partnerMessageFeed = feedKinds(
  'partner_message',
  {
    partner_message: id(),
    partner: ref('partner'),
    type: oneOf(MESSAGE_TYPES),
    customer: ref('customer').nullable(),
    reason: text().nullable(),
  },
  {
    accepted: 'A message of a partner was accepted: somebody came in, or a booking was made, cancelled or attended.',
    refused: 'A message of a partner was refused; `reason` is the code of the refusal.',
  },
);
