/** What a code can be about, one by one: what is sold, by its name, and an event by its day. */
import { may, useBusiness, type Business } from '../../../app/business.ts';
import { momentOf, timeOf } from '../../../words/times.ts';
import { useCall } from '../../../app/calls.ts';
import { useDayEvents } from '../../../app/day-events.ts';
import { words } from '../words.ts';

/** What a business has few enough of to choose from one list. */
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

/** Who may see what there is of a kind; the others everybody may see who keeps codes. */
const NEEDS: Partial<Record<Kind, readonly string[]>> = { event: SCHEDULE, course: SCHEDULE };

const sees = (business: Business, kind: Kind): boolean => NEEDS[kind] === undefined || may(business, ...NEEDS[kind]);

/** The kinds of what the person may see. */
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

/** More than a business sells. */
const MAX_ROWS = 200;

/** Everything of a kind; nothing until it is read. */
function useList(kind: OfList, enabled: boolean): readonly Thing[] {
  const asked = { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] } as const;
  return useCall(LISTS[kind] as 'GET /memberships', asked, { enabled }).data?.results ?? [];
}

/** What there is to choose from: of events, those of a day; else everything of the kind. Undefined: it isn't read yet. */
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

/** The names of what codes are about; what has none that is known is called by its kind and number. */
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
