/** The objects that a code can apply to: products by name, and events by date. */
import { may, useBusiness, type Business } from '../../../app/business.ts';
import { momentOf, timeOf } from '../../../words/times.ts';
import { useCall } from '../../../app/calls.ts';
import { useDayEvents } from '../../../app/day-events.ts';
import { words } from '../words.ts';

/** Kinds with few enough objects per business to choose from one list. */
const LISTS = {
  membership: 'GET /memberships',
  offering_type: 'GET /offering_types',
  course: 'GET /courses',
  store_product: 'GET /store/products',
} as const;

type OfList = keyof typeof LISTS;

const KINDS = ['membership', 'offering_type', 'event', 'course', 'store_product'] as const;
export type Kind = (typeof KINDS)[number];

const SCHEDULE = ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances', 'developer'];

/** Permissions to see the objects of a kind; everybody who manages codes may see the other kinds. */
const NEEDS: Partial<Record<Kind, readonly string[]>> = { event: SCHEDULE, course: SCHEDULE };

const sees = (business: Business, kind: Kind): boolean => NEEDS[kind] === undefined || may(business, ...NEEDS[kind]);

/** Returns the kinds that the person may see. */
export function useKinds(): readonly Kind[] {
  const business = useBusiness();
  return KINDS.filter((kind) => sees(business, kind));
}

interface Thing {
  readonly id: number;
  readonly name: string;
}

interface Item {
  readonly id: number;
  readonly type: string;
}

/** Higher than the number that any business sells. */
const MAX_ROWS = 200;

/** Returns all objects of a kind; empty until they are read. */
function useList(kind: OfList, enabled: boolean): readonly Thing[] {
  const asked = { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] } as const;
  return useCall(LISTS[kind] as 'GET /memberships', asked, { enabled }).data?.results ?? [];
}

/** Returns the choices: the events of a day, or all objects of another kind. Undefined until they are read. */
export function useThings(kind: Kind, day: string): readonly Thing[] | undefined {
  const listed = useList(kind === 'event' ? 'membership' : kind, kind !== 'event');
  const { data } = useDayEvents(kind === 'event' ? day : '');
  if (kind !== 'event') return listed;
  return data?.results
    .filter(({ status }) => status === 'active')
    .map(({ id, name, starts_at: at, timezone }) => ({ id, name: `${timeOf(at, timezone)} ${name}` }));
}

function useEvents(ids: readonly number[]): readonly Thing[] {
  const asked = {
    query: { ids: [...ids], page_size: MAX_ROWS },
    fields: ['id', 'name', 'starts_at', 'timezone'],
  } as const;
  const { data } = useCall('GET /events', asked, { enabled: ids.length > 0 });
  return (data?.results ?? []).map(({ id, name, starts_at: at, timezone }) => ({
    id,
    name: `${name}, ${momentOf(at, timezone)}`,
  }));
}

/** Returns a function for the names of objects; an object without a known name is shown by kind and number. */
export function useNames(items: readonly Item[]): (item: Item) => string {
  const kinds = useKinds();
  const has = (kind: Kind): boolean => kinds.includes(kind) && items.some(({ type }) => type === kind);
  const known: Readonly<Record<string, readonly Thing[]>> = {
    membership: useList('membership', has('membership')),
    offering_type: useList('offering_type', has('offering_type')),
    course: useList('course', has('course')),
    store_product: useList('store_product', has('store_product')),
    event: useEvents(has('event') ? items.flatMap(({ id, type }) => (type === 'event' ? [id] : [])) : []),
  };
  return ({ type, id }) =>
    known[type]?.find((one) => one.id === id)?.name ??
    `${words.say(`object.${type}` as Parameters<typeof words.say>[0])} ${id}`;
}
