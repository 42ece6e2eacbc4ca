/** The customers that match the address. Only the visible pages are read, wherever in the list they are. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { AskedOf, ItemOf } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { keyOf } from '../../app/calls.ts';
import { nameOf } from '../../app/customers.ts';
import { useBusiness } from '../../app/business.ts';

const FIELDS = [
  'id',
  'first_name',
  'last_name',
  'email',
  'family_role',
  'created_at',
  'date_of_birth',
  'credit_balance',
  'amount_owed',
  'main_membership.name',
  'main_membership.status',
  'main_membership.usage_summary',
  'last_visit.event.starts_at',
  'last_visit.event.timezone',
  'next_booking.event.starts_at',
  'next_booking.event.timezone',
  'sms_account.full_number',
  'status.name',
  'labels.id',
  'labels.name',
] as const;

export type Found = ItemOf<'GET /customers', (typeof FIELDS)[number]>;

type Query = NonNullable<AskedOf<'GET /customers', never, never>['query']>;

export const PAGE = 100;

const SORTS = ['last_name', '-last_name', 'created_at', '-created_at', 'status', '-status'] as const;
export type Sort = (typeof SORTS)[number];

export const isSort = (text: string | undefined): text is Sort => SORTS.some((one) => one === text);

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;

/** Converts the address to a query of the interface. */
export function queryOf(address: Readonly<Record<string, string | undefined>>): Query {
  const { query, label, status, membership, age_gte, age_lte, answers, participating, deleted, can_delete, sort } =
    address;
  const [ofLabel, ofMembership, from, to] = [label, membership, age_gte, age_lte].map(numberIn);
  return {
    ...(query && { query }),
    ...(ofLabel !== undefined && { label: ofLabel }),
    ...(ofMembership !== undefined && { active_memberships: [ofMembership] }),
    ...(status && { status: [status === 'null' ? null : status] }),
    ...(from !== undefined && { age_gte: from }),
    ...(to !== undefined && { age_lte: to }),
    ...(answers && { answers: [answers] }),
    ...(participating && { participating: participating === 'true' }),
    ...(deleted === 'true' && { deleted: true }),
    ...(can_delete === 'true' && { can_delete: true }),
    sort: [isSort(sort) ? sort : 'last_name', 'id'],
  };
}

/** Reads the matches. `pages`: the numbers of the visible pages, the first of which is 1 */
export function useFound(query: Query, pages: readonly number[]) {
  const { id } = useBusiness();
  const reading = (page: number) => {
    const asked = { query: { ...query, page, page_size: PAGE }, fields: FIELDS };
    return {
      queryKey: keyOf(id, 'GET /customers', asked),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        clientOf(id)
          .call('GET /customers', { ...asked, signal })
          .then((answer) => answer),
    };
  };
  // Several queries together keep no previous data, so the page that is always shown is read on its own.
  const first = useQuery({ ...reading(1), placeholderData: keepPreviousData });
  const others = useQueries({ queries: pages.slice(1).map(reading) });
  return [first, ...others] as const;
}

/** Returns the ids and names of the first matches. */
export async function firstOf(business: number, query: Query, most: number): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const asked = { query: { ...query, page_size: PAGE }, fields: ['id', 'first_name', 'last_name'] as const };
  for await (const one of clientOf(business).call('GET /customers', asked)) {
    if (found.size === most) break;
    found.set(one.id, nameOf(one));
  }
  return found;
}
