import { useCall } from '../../../app/calls.ts';

/** More than a business has. */
const MAX_ROWS = 200;

export interface Offering {
  /** also that of the way to register for it */
  readonly id: number;
  readonly name: string;
}

/** What people can register for, by name; none until they are read. */
export function useOfferings(): readonly Offering[] {
  const { data } = useCall('GET /registration_options', {
    query: { page_size: MAX_ROWS },
    fields: ['id', 'offering_type.name'],
  });
  return (data?.results ?? [])
    .map(({ id, offering_type }) => ({ id, name: offering_type?.name ?? '' }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
