/**
 * The life of the demo studio, written once the service answers, so that the first start doesn't wait for it: four
 * weeks of visits and sales, today with people who came, a library, members who may leave, a payment that fails, and a
 * workflow that runs. Everything is relative to the first start.
 */
import { addDays, formatWall } from '../kernel/base/values/zone.ts';
import { createCustomer } from '../areas/people/customers/index.ts';
import { createEvent, joinWaitlist, markAttendance } from '../areas/scheduling/schedule/index.ts';
import { createProduct } from '../areas/commerce/store/index.ts';
import { createWorkflow } from '../areas/communication/crm/index.ts';
import { keepMethod } from '../areas/money/payments/index.ts';
import { renewDue } from '../areas/memberships/customer-memberships/index.ts';
import { sellAtCounter, type NewSale } from '../areas/commerce/counter/index.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { fillLibrary } from './library.ts';
import { book, type Studio } from './week.ts';
import type { Work } from '../kernel/work/unit/work.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PAST_DAYS = 28;
/** Days before today for which the timetable already has events. */
const PLANNED_DAYS = 7;
/** Every tenth person who booked doesn't come. */
const NO_SHOW = 10;

/** Members who may be about to leave, each for another reason. */
const LEAVING = { failed: 'Jonas Weber', ending: 'Iris Novak', absent: 'Kira Lund' } as const;

interface Life {
  readonly studio: Studio;
  /** ids of payment processors */
  readonly cardProcessor: number;
  readonly deskProcessor: number;
  readonly now: number;
  /** returns work as of a moment, in the same transaction */
  readonly workAt: (at: number) => Work;
}

/** Creates people who agreed to news. */
async function newcomers(work: Work, names: readonly string[]): Promise<number[]> {
  const made: number[] = [];
  for (const name of names) {
    const [first_name, last_name] = name.split(' ');
    const email = `${first_name}.${last_name}@demo.example`.toLowerCase();
    made.push(await createCustomer(work, { first_name, last_name, email, is_opted_into_broadcast_messages: true }));
  }
  return made;
}

export async function bringToLife({ studio, cardProcessor, deskProcessor, now, workAt }: Life): Promise<void> {
  const works: Work[] = [];
  const at = (moment: number): Work => {
    const work = workAt(moment);
    works.push(work);
    return work;
  };
  const today = at(now);
  const zone = today.tenant.zone;
  const [failed, ending, absent] = await newcomers(at(now - 34 * DAY_MS), Object.values(LEAVING));
  const guests = [...studio.people, studio.demoCustomer];
  await pastClasses(today, studio);
  const past = await today.tx.rows<{ id: number; at: number; ends: number; is_past: boolean }>(
    sql`SELECT id, (extract(epoch FROM starts_at) * 1000)::bigint AS at,
      (extract(epoch FROM ends_at) * 1000)::bigint AS ends,
        starts_at < to_timestamp(${now / 1000}) AS is_past
      FROM event WHERE provider_id = ${today.providerId} AND offering_type_id = ${studio.flow}
        AND starts_at < to_timestamp(${now / 1000}) ORDER BY starts_at`,
  );
  for (const [n, event] of past.entries()) {
    const who = [0, 1, 2, 3].map((k) => guests[(n + 2 * k) % guests.length]);
    await visit(at, event, who, n);
  }
  await busyToday(at, now, zone, guests);
  await fillLibrary({ now, at }, studio);
  const sales = salesOf(studio, {
    guests,
    failed,
    ending,
    absent,
    water: (await createProduct(today, { name: 'Sparkling water', price: '3.50', track_stock: false })).variant,
    mat: (await createProduct(today, { name: 'Yoga mat', price: '48.00', track_stock: false })).variant,
  });
  for (const { day, ...sale } of sales.toSorted((a, b) => b.day - a.day)) {
    const payments: NewSale['payments'] = [{ payment_processor: deskProcessor }];
    await sellAtCounter(at(now - day * DAY_MS), { use_account_credit: false, payments, ...sale });
  }
  // Their next payment is declined, as it is with a card without cover.
  await keepMethod(
    today,
    { customer_id: failed, payment_processor_id: cardProcessor },
    {
      type: 'credit_card',
      token: 'sandbox_card_demo_declined',
      brand: 'Visa',
      lastFour: '0341',
      expirationMonth: 12,
      expirationYear: new Date(now).getUTCFullYear() + 2,
    },
  );
  // Their second month has begun: billing takes it from here, as soon as this is committed.
  await renewDue(today);
  await createWorkflow(at(now - DAY_MS), {
    name: 'Call new customers',
    trigger: 'customer.created',
    is_enabled: true,
    actions: [{ name: 'Task', action_type: 'create_task', title: 'Call and say welcome', conditions: [] }],
  });
  await newcomers(today, ['Lena Vogt']);
  for (const work of works) for (const record of work.takeRecords()) await work.tx.run(record);
}

/** The classes of the weeks before the timetable. */
async function pastClasses(work: Work, { venue, room, teacher, flow }: Studio): Promise<number[]> {
  const date = formatWall(work.now, work.tenant.zone).slice(0, 10);
  const made: number[] = [];
  for (let day = PAST_DAYS; day > PLANNED_DAYS; day--)
    made.push(
      await createEvent(work, {
        name: 'Vinyasa Flow',
        venue,
        venue_room: room,
        offering_type: flow,
        instructors: [teacher],
        max_occupancy: 14,
        starts_at: `${addDays(date, -day)}T07:30:00`,
        ends_at: `${addDays(date, -day)}T08:30:00`,
      }),
    );
  return made;
}

interface Happened {
  readonly id: number;
  /** start, in epoch milliseconds */
  readonly at: number;
}

/** Books the day before, and marks who came. */
async function visit(at: (moment: number) => Work, event: Happened, who: readonly number[], n: number): Promise<void> {
  await book(at(event.at - DAY_MS), event.id, who);
  const door = at(event.at + 5 * MINUTE_MS);
  for (const [k, customer] of who.entries())
    await markAttendance(door, { event: event.id, customer }, (n + k) % NO_SHOW === 0 ? 'no_show' : 'attended');
}

/** Today: people came to what is over, others are booked for the rest, and the last class is full with a waitlist. */
async function busyToday(
  at: (moment: number) => Work,
  now: number,
  zone: string,
  guests: readonly number[],
): Promise<void> {
  const work = at(now);
  const date = formatWall(now, zone).slice(0, 10);
  const events = await work.tx.rows<{ id: number; at: number; places: number; members: boolean; taken: number }>(
    sql`SELECT e.id, (extract(epoch FROM e.starts_at) * 1000)::bigint AS at, e.max_occupancy AS places,
        NOT o.allows_dropins AS members, e.attending_count AS taken
      FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
      WHERE e.provider_id = ${work.providerId} AND e.local_starts_at >= ${`${date}T00:00`}::timestamp
        AND e.local_starts_at < ${`${addDays(date, 1)}T00:00`}::timestamp AND e.status = 'active'
        AND o.schedule_type = 'class' ORDER BY e.starts_at`,
  );
  for (const [n, event] of events.entries()) {
    if (event.members || event.taken > 0) continue;
    const isSmall = event.places < guests.length;
    const who = isSmall ? guests.slice(0, event.places) : [0, 1, 2, 3, 4].map((k) => guests[(n + k) % guests.length]);
    if (event.at < now) await visit(at, event, who, n + 1);
    else await book(work, event.id, who);
    if (isSmall && event.at > now)
      for (const customer of guests.slice(event.places, event.places + 2))
        await joinWaitlist(work, event.id, customer, false);
  }
}

interface Buyers {
  readonly guests: readonly number[];
  readonly failed: number;
  readonly ending: number;
  readonly absent: number;
  /** ids of variants */
  readonly water: number;
  readonly mat: number;
}

type DemoSale = Pick<NewSale, 'customer' | 'items'> & { /** days ago */ readonly day: number };

/** Returns the items of a sale. */
const item = (values: object) => [values] as unknown as NewSale['items'];

/** A month of sales. */
function salesOf({ sold }: Studio, { guests, failed, ending, absent, water, mat }: Buyers): DemoSale[] {
  const single = item({ description: 'Single class', unit_price: '22.00', purchase_type: 'event' });
  return [
    { day: 32, customer: failed, items: item({ membership: sold.club, plan: sold.plan }) },
    { day: 27, customer: ending, items: item({ membership: sold.month }) },
    { day: 20, customer: absent, items: item({ membership: sold.club, plan: sold.plan }) },
    { day: 24, customer: guests[4], items: item({ membership: sold.pack }) },
    { day: 12, customer: guests[5], items: item({ membership: sold.pack }) },
    ...[26, 22, 19, 15, 11, 8, 5, 3, 1].map((day, n) => ({ day, customer: guests[n % guests.length], items: single })),
    ...[25, 18, 9, 4, 2].map((day) => ({ day, items: item({ store_product_variant: water, quantity: 2 }) })),
    { day: 6, items: item({ store_product_variant: mat }) },
  ];
}
