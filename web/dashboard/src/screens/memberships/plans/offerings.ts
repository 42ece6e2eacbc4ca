import { useCall } from '../../../app/calls.ts';

/** Higher than the number that any business has. */
const MAX_ROWS = 200;

export interface Offering {
  /** also the id of its way to register */
  readonly id: number;
  readonly name: string;
}

/** Returns the offerings that customers can register for, by name; empty until they are read. */
export function useOfferings(): readonly Offering[] {
  const { data } = useCall('GET /registration_options', {
    query: { page_size: MAX_ROWS },
    fields: ['id', 'offering_type.name'],
  });
  return (data?.results ?? [])
    .map(({ id, offering_type }) => ({ id, name: offering_type?.name ?? '' }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
