import { answer, pageOf, paging, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { id, instant, listOf, object, oneOf, ref, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { IF_UNSIGNED, SEES_SIGNATURES } from './waiver.ts';
import { readUnsigned } from './facts.ts';
import { signingLink } from './signing-link.ts';
import { customer } from '../../people/customers/index.ts';
import { formatInstant } from '../../../kernel/base/values/instant.ts';

const who = staffWith(...SEES_SIGNATURES);

const unsigned = {
  customer: object({ id: id(), name: text({ max: 300, blank: true }) }),
  waiver: object({ id: id(), name: text({ max: 128 }) }),
  if_unsigned: oneOf(IF_UNSIGNED),
  signed_by: oneOf(['customer', 'guardian']).describe('Who has to sign: the customer, or a guardian.'),
};

export const listUnsigned = read({
  path: '/unsigned_waivers',
  summary: 'List customers who haven’t signed',
  description:
    'Each waiver that applies to a customer, and that they haven’t signed or have to sign again: because everyone signs it, because of a membership that they hold, or because of a booking. For an event, everybody who is booked. For the door and for a list of whom to ask.',
  who,
  query: {
    customers: listOf(id(), { max: 200 }).optional(),
    event: ref('event').optional(),
    waiver: ref('waiver').optional(),
    ...paging(200),
  },
  returns: pageOf(unsigned),
  replica: true,
  run: async ({ work, query: { page, page_size, customers, event, waiver } }) => {
    const limit = Math.min(page_size, 200);
    const { count, results } = await readUnsigned(work, {
      customers,
      event,
      waiver,
      limit,
      offset: (page - 1) * limit,
    });
    return {
      count,
      results: results.map(({ customer: of, name, waiver: one, by }) => ({
        customer: { id: of, name },
        waiver: { id: one.id, name: one.title },
        if_unsigned: one.ifUnsigned,
        signed_by: by,
      })),
    };
  },
});

export const linkToSign = read({
  path: '/customers/{id}/signing_link',
  summary: 'Get a link to sign waivers',
  description:
    'Opens the page on which the customer signs their waivers without a log-in, for example on a tablet at the desk or on their phone. It is valid for two days.',
  who,
  target: customer,
  returns: answer({ url: uri(), expires_at: instant() }),
  run: async ({ work, target, pagesUrl }) => {
    const { path, expiresAt } = signingLink(work, target.id);
    return { url: `${pagesUrl}${path}`, expires_at: formatInstant(expiresAt, work.tenant.zone) };
  },
});
