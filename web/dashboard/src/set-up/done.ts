/** The progress of the set-up, from the data of the business. */
import { useQueries } from '@tanstack/react-query';
import type { OperationName, Rollcall } from 'rollcall-sdk';
import { clientOf } from '../app/client.ts';
import { ESSENTIAL, isRunning, type Counts, type Step } from './steps.ts';
import { keyOf, queries } from '../app/calls.ts';

interface Reading {
  /** changes to what it reads trigger a new read */
  readonly operation: OperationName;
  readonly count: (client: Rollcall, business: number) => Promise<number>;
}

const one = { page_size: 1 } as const;
const fields = ['id'] as const;

const READINGS = {
  venue: {
    operation: 'GET /venues',
    count: async (client) => (await client.call('GET /venues', { query: { status: 'active', ...one }, fields })).count,
  },
  offering: {
    operation: 'GET /offering_types',
    count: async (client) =>
      (await client.call('GET /offering_types', { query: { status: 'active', ...one }, fields })).count,
  },
  event: {
    operation: 'GET /events',
    count: async (client) => (await client.call('GET /events', { query: one, fields })).count,
  },
  membership: {
    operation: 'GET /memberships',
    count: async (client) =>
      (await client.call('GET /memberships', { query: { archived: false, ...one }, fields })).count,
  },
  payments: {
    operation: 'GET /payment_processors',
    count: async (client) =>
      (await client.call('GET /payment_processors', { query: { is_enabled: true, ...one }, fields })).count,
  },
  look: {
    operation: 'GET /providers/{id}',
    count: async (client, id) =>
      (await client.call('GET /providers/{id}', { params: { id }, fields: ['logo'] })).logo ? 1 : 0,
  },
  import: {
    operation: 'GET /imports',
    count: async (client) => (await client.call('GET /imports', { query: one, fields })).count,
  },
  staff: {
    operation: 'GET /staff',
    // The owner does not count as a colleague.
    count: async (client) =>
      (await client.call('GET /staff', { query: { status: 'active', ...one }, fields })).count - 1,
  },
} as const satisfies Readonly<Partial<Record<Step, Reading>>>;

type Read = keyof typeof READINGS;
const READ = Object.keys(READINGS) as Read[];

const queryOf = (business: number, step: Read) => {
  const { operation, count }: Reading = READINGS[step];
  return {
    queryKey: keyOf(business, operation, { step }),
    queryFn: (): Promise<number> => count(clientOf(business), business),
  };
};

/** Returns how many objects each step has created; absent until it is read. `enabled`: false: reads nothing yet */
export function useCounts(business: number, marks: ReadonlySet<string>, enabled = true): Counts {
  const found = useQueries({ queries: READ.map((step) => ({ ...queryOf(business, step), enabled })) });
  const counted = READ.map((step, i) => [step, found[i].data] as const).filter(([, n]) => n !== undefined);
  return {
    ...Object.fromEntries(counted),
    site: marks.has('site') ? 1 : 0,
    share: marks.has('share') ? 1 : 0,
  };
}

/** Reads whether people can book and pay. */
export async function readRunning(business: number): Promise<boolean> {
  const counts = await Promise.all(
    ESSENTIAL.map(async (step) => [step, await queries.fetchQuery(queryOf(business, step as Read))] as const),
  );
  return isRunning(Object.fromEntries(counts));
}
