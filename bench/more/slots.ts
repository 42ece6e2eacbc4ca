/**
 * Free times: a month of 20 instructors, a week of 500 rooms, many customers who want one time, and whether performance
 * stays the same with years of history.
 */
import { burst, type BurstAnswer } from '../kit/load.ts';
import { headersFor } from '../reads.ts';
import {
  install,
  serve,
  statementsOf,
  vacuum,
  type Cluster,
  type Installation,
  type Server,
} from '../kit/installation.ts';
import { Latencies } from '../kit/latencies.ts';
import { json, sql } from '../../server/kernel/base/db/sql.ts';
import { median, type Report } from '../kit/report.ts';

export interface SlotPlan {
  /** bookings of each instructor */
  readonly bookings: number;
  readonly rooms: number;
  /** number of customers who request the same time at the same moment */
  readonly racing: number;
  /** bookings of all instructors in the past, ascending */
  readonly history: readonly number[];
  /** requests per row */
  readonly requests: number;
}

const INSTRUCTORS = 20;
const ZONE = 'America/Toronto';
const A_DAY = 4;
const DAILY = json([{ start: '09:00', end: '17:00' }]);

export async function slotRows(report: Report, cluster: Cluster, plan: SlotPlan): Promise<void> {
  const customers = plan.racing + 1;
  const installation = await install(cluster, 'slots', { customers, events: 1, attendances: 0 });
  let server: Server | undefined;
  try {
    const month = await practice(installation, plan.bookings);
    const grown: { size: number; offering: number }[] = [];
    for (const size of plan.history) grown.push({ size, offering: await practice(installation, size / INSTRUCTORS) });
    const rooms = await roomsForRent(installation, plan.rooms);
    await vacuum(installation.url);
    server = await serve(installation.url);
    await lists(report, installation, server, plan, { month, rooms, grown });
    await race(report, installation, server, plan, month);
  } finally {
    await server?.stop();
    await installation.remove();
  }
}

const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const pathOf = (offering: number, days: number): string =>
  `/api/v2/slots?offering_type=${offering}&from=${day(1)}&to=${day(days)}`;

async function lists(
  report: Report,
  installation: Installation,
  server: Server,
  plan: SlotPlan,
  { month, rooms, grown }: { month: number; rooms: number; grown: readonly { size: number; offering: number }[] },
): Promise<void> {
  const time = async (path: string) => (await timesOf(installation, server, path, plan.requests)).asked;
  const { asked, served } = await timesOf(installation, server, pathOf(month, 31), plan.requests);
  report.add({
    name: `a month of slots of ${INSTRUCTORS} instructors with ${plan.bookings.toLocaleString('en')} bookings each, in the service`,
    figure: served,
    reach: 50,
    better: 'lower',
    unit: 'ms',
  });
  report.add({ name: '  as the client sees it', figure: asked, better: 'lower', unit: 'ms' });
  const statements = await statementsOf(installation, (base, headers) => fetch(base + pathOf(month, 31), { headers }));
  report.add({ name: '  statements', figure: statements.length, reach: 3, better: 'lower' });
  report.add({
    name: `a week of ${plan.rooms} rooms`,
    figure: await time(pathOf(rooms, 7)),
    reach: 300,
    better: 'lower',
    unit: 'ms',
  });
  let smallest: number | null = null;
  for (const { size, offering } of grown) {
    const figure = await time(pathOf(offering, 7));
    report.add({
      name: `a week of slots after ${size.toLocaleString('en')} bookings`,
      figure,
      against: smallest,
      reach: smallest === null ? null : 1.5,
      better: 'lower',
      unit: 'ms',
    });
    smallest ??= figure;
  }
}

/**
 * Returns milliseconds of consecutive requests: the median measured by the client, and the mean measured by the
 * service.
 */
async function timesOf(
  installation: Installation,
  server: Server,
  path: string,
  n: number,
): Promise<{ asked: number; served: number }> {
  const headers = headersFor(installation, server);
  const ask = () => burst([{ method: 'GET', path, headers }], { url: server.url, connections: 1 });
  await ask();
  const times: number[] = [];
  const before = await countedBy(server);
  for (let i = 0; i < n; i++) {
    const [answer] = await ask();
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${answer.body}`);
    times.push(answer.ms);
  }
  const after = await countedBy(server);
  return {
    asked: median(times),
    served: ((after.seconds - before.seconds) / (after.requests - before.requests)) * 1000,
  };
}

/** Returns the service's own totals of all requests for free times so far. */
async function countedBy(server: Server): Promise<{ seconds: number; requests: number }> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const of = (what: string) =>
    Number(
      new RegExp(`^rollcall_http_request_seconds_${what}\\{route="GET /slots",status="200"\\} (\\S+)$`, 'm').exec(
        text,
      )?.[1],
    );
  return { seconds: of('sum'), requests: of('count') };
}

async function race(
  report: Report,
  installation: Installation,
  server: Server,
  { racing }: SlotPlan,
  offering: number,
): Promise<void> {
  const headers = headersFor(installation, server);
  const listed = await burst([{ method: 'GET', path: pathOf(offering, 31), headers }], { url: server.url });
  const { id } = (listed[0].body as { results: { id: string }[] }).results.at(-1)!;
  const answers: BurstAnswer[] = await burst(
    Array.from({ length: racing }, (_, i) => ({
      method: 'POST',
      path: `/api/v2/slots/${id}/register`,
      headers,
      body: { customer: installation.customers.first + i },
    })),
    { url: server.url, connections: Math.min(racing, 500) },
  );
  const latencies = new Latencies();
  for (const { ms } of answers) latencies.add(ms);
  const won = answers.filter(({ status }) => status === 200).length;
  const lost = answers.filter(({ status }) => status === 409).length;
  report.add({
    name: `${racing} at once for one time: p99`,
    figure: latencies.summary().p99,
    reach: 500,
    better: 'lower',
    unit: 'ms',
  });
  report.add({
    name: '  given away wrongly, or neither given nor refused',
    figure: Math.abs(won - 1) + (answers.length - won - lost),
    reach: 0,
    better: 'lower',
  });
}

/**
 * Creates an appointment of an hour with 20 instructors, each with this many bookings: four a day, backwards from a
 * month ahead.
 */
async function practice({ db, provider, url }: Installation, bookings: number): Promise<number> {
  const offering = await db.transaction(provider, async (tx) => {
    const row = await tx.one<{ id: number }>(
      sql`INSERT INTO offering_type (provider_id, name, schedule_type, slot_duration, slot_increments)
          VALUES (${provider}, 'Massage', 'appointment', 60, 30) RETURNING id`,
    );
    await tx.run(sql`INSERT INTO staff (provider_id, first_name, last_name, email)
      SELECT ${provider}, 'Kim', 'K' || n, 'kim' || n || '.' || ${row!.id}::bigint || '@example.com'
      FROM generate_series(1, ${INSTRUCTORS}::int) n`);
    await tx.run(sql`INSERT INTO instructor (provider_id, staff_id, name)
      SELECT ${provider}, id, last_name FROM staff
      WHERE provider_id = ${provider} AND email LIKE 'kim%.' || ${row!.id}::bigint || '@example.com'`);
    await tx.run(sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id)
      SELECT ${provider}, ${row!.id}::bigint, i.id FROM instructor i
      JOIN staff s ON s.provider_id = i.provider_id AND s.id = i.staff_id
      WHERE i.provider_id = ${provider} AND s.email LIKE 'kim%.' || ${row!.id}::bigint || '@example.com'`);
    await tx.run(sql`INSERT INTO availability_schedule
      (provider_id, name, schedule_type, instructor_id, venue_id, default_monday, default_tuesday,
        default_wednesday, default_thursday, default_friday, default_saturday, default_sunday)
      SELECT ${provider}, 'Usual hours', 'IU', t.instructor_id, v.id, h, h, h, h, h, h, h
      FROM offering_type_instructor t, venue v, (SELECT ${DAILY}::jsonb AS h) hours
      WHERE t.provider_id = ${provider} AND t.offering_type_id = ${row!.id}::bigint AND v.provider_id = ${provider}`);
    return row!.id;
  });
  const portion = 500;
  for (let at = 0; at < bookings; at += portion) await book(offering, at, Math.min(at + portion, bookings) - 1);
  return offering;

  /** Inserts bookings by number, counted backwards from the last one. */
  async function book(type: number, first: number, last: number): Promise<void> {
    const before = (await db.transaction(provider, (tx) =>
      tx.one<{ id: number }>(sql`SELECT coalesce(max(id), 0)::bigint AS id FROM event WHERE provider_id = ${provider}`),
    ))!.id;
    await db.transaction(provider, (tx) =>
      tx.run(sql`
        INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, local_starts_at, local_ends_at,
          starts_at, ends_at)
        SELECT ${provider}, ${type}::bigint, v.id, t.instructor_id::text, ${ZONE}, s.at, s.at + interval '1 hour',
          s.at AT TIME ZONE ${ZONE}, (s.at + interval '1 hour') AT TIME ZONE ${ZONE}
        FROM offering_type_instructor t, venue v, generate_series(${first}::int, ${last}::int) k,
          LATERAL (SELECT (current_date + 31 - k / ${A_DAY}::int) +
            make_interval(hours => 9 + 2 * (k % ${A_DAY}::int)) AS at) s
        WHERE t.provider_id = ${provider} AND t.offering_type_id = ${type}::bigint AND v.provider_id = ${provider}`),
    );
    // The trigger of each row looks up its event: with the index, once the planner knows that there are many.
    if (first === 0) await vacuum(url);
    await db.transaction(provider, (tx) =>
      tx.run(sql`INSERT INTO event_instructor (provider_id, event_id, instructor_id)
        SELECT provider_id, id, name::bigint FROM event WHERE provider_id = ${provider} AND id > ${before}::bigint`),
    );
  }
}

/** Creates rooms for rent by the hour, each rented every other hour of the week. */
async function roomsForRent({ db, provider }: Installation, n: number): Promise<number> {
  return db.transaction(provider, async (tx) => {
    const row = await tx.one<{ id: number }>(
      sql`INSERT INTO offering_type (provider_id, name, schedule_type, slot_duration, slot_increments)
          VALUES (${provider}, 'Room', 'room_rental', 60, 60) RETURNING id`,
    );
    await tx.run(sql`INSERT INTO venue_room (provider_id, venue_id, name)
      SELECT ${provider}, v.id, 'Room ' || n FROM venue v, generate_series(1, ${n}::int) n
      WHERE v.provider_id = ${provider}`);
    await tx.run(sql`INSERT INTO availability_schedule
      (provider_id, name, schedule_type, venue_id, default_monday, default_tuesday,
        default_wednesday, default_thursday, default_friday, default_saturday, default_sunday)
      SELECT ${provider}, 'Usual hours', 'RRTL', v.id, h, h, h, h, h, h, h
      FROM venue v, (SELECT ${DAILY}::jsonb AS h) hours WHERE v.provider_id = ${provider}`);
    await tx.run(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, venue_room_id, name, timezone, local_starts_at,
        local_ends_at, starts_at, ends_at)
      SELECT ${provider}, ${row!.id}::bigint, r.venue_id, r.id, 'Rental', ${ZONE}, s.at, s.at + interval '1 hour',
        s.at AT TIME ZONE ${ZONE}, (s.at + interval '1 hour') AT TIME ZONE ${ZONE}
      FROM venue_room r, generate_series(0, ${8 * A_DAY - 1}::int) k,
        LATERAL (SELECT (current_date + k / ${A_DAY}::int) + make_interval(hours => 9 + 2 * (k % ${A_DAY}::int)) AS at)
          s
      WHERE r.provider_id = ${provider}`);
    return row!.id;
  });
}
