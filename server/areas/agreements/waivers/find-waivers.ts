import {
  choice,
  EVERYONE,
  file,
  filter,
  listAndGet,
  read,
  type FileToSend,
  type Filter,
  type Who,
} from '../../../kernel/api/endpoint.ts';
import { id, integer, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { appliesToType, purposeOf, waiver, waiverAgreement } from './waiver.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { signedDocument } from './document/read.ts';

/** Staff, and customers for themselves and their family. */
export const whoSigns: Who = { provider: true, customer: true, unregistered: false };

const ids = () => listOf(id(), { max: 200 });

const TABLES = { offering_type: 'waiver_offering_type', membership: 'waiver_membership' } as const;

/** Finds offering types or memberships that any of these waivers names. */
export const onWaivers = (what: keyof typeof TABLES): Filter =>
  filter(
    ids().describe('Only those that one of these waivers names.'),
    (t, waivers) => sql`EXISTS (SELECT FROM ${raw(TABLES[what])} l WHERE l.provider_id = ${raw(t)}.provider_id
      AND l.${raw(`${what}_id`)} = ${raw(t)}.id AND l.waiver_id = ANY(${waivers}::bigint[]))`,
  );

const document = read({
  path: '/waiver_agreements/{id}/download',
  summary: 'Download a signed waiver',
  description: 'A PDF/A-3b with the text as it was signed, the names, the time and the signature.',
  who: whoSigns,
  target: waiverAgreement,
  returns: file('application/pdf'),
  run: ({ work, target }): Promise<FileToSend> => signedDocument(work, target),
});

const signature = read({
  path: '/waiver_agreements/{id}/signature',
  summary: 'Get a drawn signature',
  who: whoSigns,
  target: waiverAgreement,
  returns: file('image/png'),
  run: async ({ work, target }): Promise<FileToSend> => {
    if (target.sealed === null) throw notFound();
    const png = work.installation.box.open(purposeOf(work.providerId, target.id), target.sealed);
    return { name: 'signature.png', type: 'image/png', draw: () => Buffer.from(png, 'base64') };
  },
});

export const findWaivers = [
  ...listAndGet(waiver, {
    path: '/waivers',
    summary: 'List waivers',
    get: 'Get a waiver',
    description: 'Customers and visitors see active ones.',
    who: EVERYONE,
    filters: {
      applicable_to: filter(
        listOf(oneOf(['all_offering_types', 'all_memberships'])).describe('Only waivers with any of these scopes.'),
        (t, scopes) => sql`(
          ('all_offering_types' = ANY(${scopes}::text[]) AND ${raw(t)}.offering_types_applies_to = 'all')
          OR ('all_memberships' = ANY(${scopes}::text[]) AND ${raw(t)}.memberships_applies_to = 'all'))`,
      ),
      applicable_to_offering_types: filter(
        ids().describe('Only waivers that are signed for any of these offering types, or by everyone.'),
        (t, types) => sql`(${raw(t)}.at_signup OR EXISTS (SELECT FROM unnest(${types}::bigint[]) o (id)
          WHERE ${appliesToType(t, raw('o.id'))}))`,
      ),
      status: choice(integer({ min: 0, max: 2 }).describe('0: active. 2: archived.'), {
        0: (t) => raw(`NOT ${t}.archived`),
        1: () => raw('false'),
        2: (t) => raw(`${t}.archived`),
      }),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: 'id',
  }),
  ...listAndGet(waiverAgreement, {
    path: '/waiver_agreements',
    summary: 'List signed waivers',
    get: 'Get a signed waiver',
    who: whoSigns,
    filters: {
      customer: filter(ids(), (t, customers) => sql`${raw(t)}.customer_id = ANY(${customers}::bigint[])`),
      waiver: filter(ids(), (t, waivers) => sql`${raw(t)}.waiver_id = ANY(${waivers}::bigint[])`),
    },
    sort: { signed_at: { by: (t) => raw(`${t}.signed_at`) } },
    defaultSort: '-signed_at',
  }),
  document,
  signature,
];
