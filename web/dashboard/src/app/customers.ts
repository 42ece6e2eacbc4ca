import { may, useBusiness, type Business } from './business.ts';
import { useCall } from './calls.ts';
import { useDeferred } from './deferred.ts';

const MAX_ROWS = 8;
/** A single letter matches too many. */
const MIN_LETTERS = 2;

/** Returns true if the person may find and view customers. */
export const maySeeCustomers = (business: Business): boolean =>
  may(business, 'customers', 'attendances', 'instructor_attendances', 'pos');

export interface FoundCustomers {
  readonly choices: readonly {
    readonly key: string;
    readonly id: number;
    readonly label: string;
    readonly more: string;
  }[];
  readonly error: Error | null;
  /** true while the choices are not yet those for the text */
  readonly busy: boolean;
}

/**
 * Finds customers whose name, email address or telephone number begins with the words; no results before two letters
 * are typed.
 */
export function useCustomers(text: string): FoundCustomers {
  const business = useBusiness();
  const wanted = useDeferred(text.trim());
  const enabled = wanted.length >= MIN_LETTERS && maySeeCustomers(business);
  const { data, error, isFetching } = useCall(
    'GET /customers',
    { query: { autocomplete: wanted, page_size: MAX_ROWS }, fields: ['id', 'first_name', 'last_name', 'email'] },
    { enabled, keep: true },
  );
  const found = enabled ? (data?.results ?? []) : [];
  return {
    choices: found.map((one) => ({
      key: `customer ${one.id}`,
      id: one.id,
      label: nameOf(one),
      more: one.email ?? '',
    })),
    error: enabled ? error : null,
    busy: wanted !== text.trim() || (enabled && isFetching),
  };
}

/** Higher than the number that any business has. */
const MAX_KINDS = 100;

export function useLabels(enabled = true) {
  return useCall(
    'GET /customer_labels',
    { query: { archived: false, sort: ['name'], page_size: MAX_KINDS }, fields: ['id', 'name'] },
    { enabled },
  );
}

export function useStatuses(enabled = true) {
  return useCall('GET /customer_statuses', { query: { page_size: MAX_KINDS }, fields: ['slug', 'name'] }, { enabled });
}

/** Returns the customer's name; empty if the person may not see it. */
export const nameOf = (
  customer: { readonly first_name: string | null; readonly last_name: string | null } | null,
): string => `${customer?.first_name ?? ''} ${customer?.last_name ?? ''}`.trim();
