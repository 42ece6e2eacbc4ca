/**
 * The clock of a test business advances by weeks of a busy schedule, with a booking and a reminder for each event and
 * connected calendars of the staff: measures how long people wait for it, and whether each was reminded exactly once.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { install, vacuum, type Cluster, type Installation } from '../kit/installation.ts';
import { Meter } from '../kit/meter.ts';
import { makeTestBusiness } from '../../server/test/worlds/test-business.ts';
import { inTurns, until } from '../../server/test/storm.ts';
import { serve, type Served } from '../../server/test/processes/durable.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Report } from '../kit/report.ts';

export interface TestClockPlan {
  readonly events: number;
  readonly calendars: number;
  readonly days: number;
}

const PATIENCE_MS = 900_000;
const LOOK_MS = 100;
const MAX_SECONDS = 60;

export async function testClockRows(
  report: Report,
  cluster: Cluster,
  { events, calendars, days }: TestClockPlan,
): Promise<void> {
  const installation = await install(cluster, 'test_clock', { customers: events, events, attendances: 0 });
  const outside = await serveCalendars();
  let server: Served | undefined;
  let meter: Meter | undefined;
  try {
    await makeTestBusiness({ databaseUrl: installation.url, harbour: installation.provider });
    server = await serve(installation.url, { ROLE: 'all', OUTBOUND_ALLOW: '127.0.0.1/32' });
    await fill(installation, server, { events, calendars, days }, outside);
    meter = await Meter.on(installation.url, [server.process.pid!]);
    const spent = await meter.measure(() => advance(installation, server!, days));
    report.add({
      name: `the clock of a test business advances by ${days} days: ${events} events, ${calendars} calendars`,
      figure: spent.seconds,
      reach: MAX_SECONDS,
      better: 'lower',
      unit: 's',
    });
    report.add({ name: '  processor time of the service', figure: spent.service / 1000, better: 'lower', unit: 's' });
    report.add({ name: '  processor time of PostgreSQL', figure: spent.postgres / 1000, better: 'lower', unit: 's' });
    report.add({
      name: '  events without exactly one reminder',
      figure: await wrong(installation, events),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await meter?.close();
    await server?.end('SIGTERM');
    outside.close();
    await installation.remove();
  }
}

const dayIn = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

const entry = (n: number): string[] => [
  'BEGIN:VEVENT',
  `UID:${n}@bench`,
  `DTSTAMP:${dayIn(0)}T000000Z`,
  `DTSTART:${dayIn(Math.floor(n / 4))}T${10 + (n % 4)}0000Z`,
  'DURATION:PT30M',
  ...(n === 0 ? ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'] : []),
  'SUMMARY:Busy',
  'END:VEVENT',
];

/** Serves a calendar with 200 appointments and one that repeats every weekday. */
async function serveCalendars(): Promise<Server> {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//bench//EN',
    ...Array.from({ length: 201 }, (_, n) => entry(n)).flat(),
    'END:VCALENDAR',
  ];
  const text = lines.join('\r\n');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar' });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Spreads the events over the days, books each once, and connects a calendar of each instructor. */
async function fill(
  installation: Installation,
  server: Served,
  { events, calendars, days }: TestClockPlan,
  outside: Server,
): Promise<void> {
  const { db, provider, url } = installation;
  const { first } = installation.events;
  await db.transaction(provider, async (tx) => {
    const start = sql`date_trunc('minute', now()) + interval '25 hours'
      + (id - ${first}::bigint) * interval '1 day' * ${days - 2}::int / ${events}::int`;
    await tx.run(sql`UPDATE event e SET starts_at = s.at, ends_at = s.at + interval '1 hour',
        local_starts_at = s.at AT TIME ZONE e.timezone,
          local_ends_at = (s.at + interval '1 hour') AT TIME ZONE e.timezone
      FROM (SELECT id, ${start} AS at FROM event WHERE provider_id = ${provider}) s
      WHERE e.provider_id = ${provider} AND e.id = s.id`);
    await tx.run(sql`INSERT INTO staff (provider_id, first_name, last_name, email)
      SELECT ${provider}, 'Kim', n::text, 'kim' || n || '@example.com' FROM generate_series(1, ${calendars}::int) n`);
    await tx.run(sql`INSERT INTO instructor (provider_id, staff_id, name)
      SELECT provider_id, id, 'Kim ' || last_name FROM staff WHERE provider_id = ${provider}`);
  });
  const staff = await db.transaction(provider, (tx) =>
    tx.rows<{ id: number }>(sql`SELECT staff_id AS id FROM instructor WHERE provider_id = ${provider} ORDER BY id`),
  );
  const { port } = outside.address() as AddressInfo;
  for (const { id } of staff.slice(0, calendars))
    await ask(installation, server, 'POST', '/external_calendars/accounts', {
      url: `http://127.0.0.1:${port}/${id}.ics`,
      staff: id,
    });
  await inTurns(events, (n) =>
    ask(installation, server, 'POST', `/events/${first + n}/register`, {
      customer: installation.customers.first + n,
      comped: true,
    }),
  );
  await until(
    'the calendars are read, and the reminders are planned',
    async () => await isReady(installation, events, calendars),
    PATIENCE_MS,
  );
  await vacuum(url);
}

const isReady = async ({ db, provider }: Installation, events: number, calendars: number): Promise<boolean> => {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ reminders: number; calendars: number }>(sql`SELECT
      (SELECT count(*)::int FROM event_reminder WHERE provider_id = ${provider}) AS reminders,
      (SELECT count(*)::int FROM external_calendar WHERE provider_id = ${provider} AND read_at IS NOT NULL)
        AS calendars`),
  );
  return found!.reminders === events && found!.calendars === calendars;
};

async function advance(installation: Installation, server: Served, days: number): Promise<void> {
  await ask(installation, server, 'POST', '/test_clock/advance', { by: `P${days}D` });
  const arrived = async (): Promise<boolean> => {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const clock = await ask(installation, server, 'GET', '/test_clock');
    if (clock.failure !== null) throw new Error(clock.failure);
    return clock.advance === null;
  };
  await until('the clock is there', arrived, PATIENCE_MS);
}

/** Returns the number of events whose customer did not get exactly one reminder. */
async function wrong({ db, provider }: Installation, events: number): Promise<number> {
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM (
      SELECT customer_id FROM message WHERE provider_id = ${provider} AND kind = 'event_reminder'
      GROUP BY customer_id HAVING count(*) = 1) right_ones`),
  );
  return events - found!.n;
}

async function ask(
  { token }: Installation,
  { url }: Served,
  method: string,
  path: string,
  body?: object,
): Promise<any> {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
