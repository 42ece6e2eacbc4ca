/** The customer of the page, with the version that was read, so that nobody overwrites another person's changes. */
import { useQuery } from '@tanstack/react-query';
import type { ItemOf } from 'rollcall-sdk';
import { clientOf } from '../../../app/client.ts';
import { keyOf } from '../../../app/calls.ts';
import { useBusiness } from '../../../app/business.ts';

export const PERSON_FIELDS = [
  'id',
  'first_name',
  'last_name',
  'email',
  'created_at',
  'family',
  'family_role',
  'participating',
  'visibility',
  'date_of_birth',
  'is_opted_into_broadcast_messages',
  'is_opted_into_sms_marketing',
  'is_status_locked',
  'invitation_url',
  'credit_balance',
  'status.slug',
  'status.name',
  'labels.id',
  'labels.name',
  'sms_account.full_number',
  'customer_venue.id',
  'customer_venue.name',
] as const;

export type Person = ItemOf<'GET /customers', (typeof PERSON_FIELDS)[number]>;

/** Returns the customer with their `etag`, for `ifMatch` of a change that names the same fields. */
export function usePerson(id: number) {
  const { id: business } = useBusiness();
  const asked = { params: { id }, fields: PERSON_FIELDS };
  return useQuery({
    queryKey: keyOf(business, 'GET /customers/{id}', { ...asked, etag: true }),
    queryFn: async ({ signal }) => {
      const { value, etag } = await clientOf(business)
        .call('GET /customers/{id}', { ...asked, signal })
        .answer();
      return { person: value, etag };
    },
  });
}

export interface TabProps {
  readonly person: Person;
}
