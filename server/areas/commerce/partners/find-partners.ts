import { filter, listAndGet, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, id, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { KINDS, MESSAGE_TYPES, partner, partnerMessage } from './partner.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

const who = staffWith('super_admin');

export const findPartners = [
  ...listAndGet(partner, {
    path: '/partners',
    summary: 'List partners',
    description: 'Doors and booking platforms. The guide shows how they sign and send messages.',
    get: 'Get a partner',
    who,
    filters: { kind: filter(oneOf(KINDS), (t, kind) => sql`${raw(t)}.kind = ${kind}`) },
  }),
  ...listAndGet(partnerMessage, {
    path: '/partner_messages',
    summary: 'List messages of partners',
    description: 'Who came in, and what platforms booked, with each refusal. Messages are deleted after 90 days.',
    get: 'Get a message of a partner',
    who,
    sort: { id: { by: (t: string) => raw(`${t}.id`) } },
    defaultSort: '-id',
    filters: {
      partner: filter(id(), (t, one) => sql`${raw(t)}.partner_id = ${one}`),
      customer: filter(id(), (t, one) => sql`${raw(t)}.customer_id = ${one}`),
      type: filter(oneOf(MESSAGE_TYPES), (t, type) => sql`${raw(t)}.type = ${type}`),
      is_accepted: filter(boolean(), (t, is) => sql`${raw(t)}.is_accepted = ${is}`),
    },
  }),
];
