import { everyWord } from '../../../kernel/api/reading/text-filters.ts';
import { discountCode, discountCodeGroup, STATUSES } from './discount-code.ts';
import { discountCodeApplicability } from './applicability.ts';
import { filter, get, list, staffWith } from '../../../kernel/api/endpoint.ts';
import { id, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

export const who = staffWith('super_admin', 'discount_codes');

/** Filters of the list, and of actions on all codes in it. */
export const CODE_FILTERS = {
  group: filter(id(), (t, group) => sql`${raw(t)}.group_id = ${group}`),
  query: everyWord(
    'query',
    (t) => raw(`${t}.name || ' ' || ${t}.code`),
    'Each word must occur in the name or the code, ignoring case.',
  ),
};

export const listCodes = list(discountCode, {
  path: '/discount_codes',
  summary: 'List discount codes',
  who,
  filters: {
    ...CODE_FILTERS,
    status: filter(oneOf(STATUSES), (t, status) => sql`${raw(t)}.status = ${status}`),
  },
  sort: {
    id: { by: (t) => raw(`${t}.id`) },
    name: { by: (t) => raw(`lower(${t}.name)`) },
    uses: { by: (t) => raw(`${t}.uses`) },
  },
});

export const findCodes = [
  listCodes,
  get(discountCode, { path: '/discount_codes/{id}', summary: 'Get a discount code', who }),
  list(discountCodeGroup, { path: '/discount_code_groups', summary: 'List groups of discount codes', who }),
  list(discountCodeApplicability, {
    path: '/discount_code_applicabilities',
    summary: 'List applicabilities of discount codes',
    who,
    filters: { discount_code: filter(id(), (t, code) => sql`${raw(t)}.discount_code_id = ${code}`) },
  }),
  get(discountCodeApplicability, {
    path: '/discount_code_applicabilities/{id}',
    summary: 'Get an applicability of a discount code',
    who,
  }),
];
