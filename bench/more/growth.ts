/**
 * Does performance stay the same as a business grows? The same people and events in separate databases, with ever more
 * bookings; the largest and the smallest are measured in alternating turns, so that a slow moment of the machine slows
 * both.
 */
import { LIST, headersFor, readFor } from '../reads.ts';
import { bookFor } from '../bookings.ts';
import { install, serve, vacuum, type Cluster, type Installation, type Server } from '../kit/installation.ts';
import { lastBooking } from '../kit/audit.ts';
import { median, paired, type Report } from '../kit/report.ts';
import { pair } from '../kit/pairs.ts';
import { prepare } from '../kit/load.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Length } from '../kit/contest.ts';

const REACH = 0.7;
/** Bookings per turn; they are deleted after it, so that the size matches the row. */
const BOOKINGS = 2000;

interface Grown {
  readonly attendances: number;
  readonly installation: Installation;
  readonly server: Server;
}

export interface Growth {
  readonly people: { customers: number; events: number };
  /** numbers of attendances, ascending */
  readonly sizes: readonly number[];
}

export async function growthRows(
  report: Report,
  cluster: Cluster,
  { people, sizes }: Growth,
  length: Length,
): Promise<void> {
  const grown: Grown[] = [];
  try {
    for (const attendances of sizes) {
      const installation = await install(cluster, `grown_${attendances}`, { ...people, attendances });
      grown.push({ attendances, installation, server: await serve(installation.url) });
    }
    await compare(report, 'list', grown, length.turns, (one) => readTurn(one, length.seconds));
    await compare(report, 'register', grown, length.turns, bookTurn);
  } finally {
    for (const { server, installation } of grown) {
      await server.stop();
      await installation.remove();
    }
  }
}

async function compare(
  report: Report,
  what: string,
  grown: readonly Grown[],
  turns: number,
  turn: (one: Grown) => Promise<number>,
): Promise<void> {
  for (const one of grown) await turn(one); // warm-up: compiles the code and loads pages into memory
  const [smallest, ...between] = grown.slice(0, -1);
  for (const one of between) {
    const figures: number[] = [];
    for (let i = 0; i < turns; i++) figures.push(await turn(one));
    report.add({ name: `${what}, ${thousands(one)} attendances`, figure: median(figures), unit: '/s' });
  }
  const largest = grown.at(-1)!;
  const pair = await paired(
    turns,
    () => turn(largest),
    () => turn(smallest),
  );
  report.add({
    name: `${what}, ${thousands(largest)} attendances against ${thousands(smallest)}`,
    ...pair,
    reach: REACH,
    unit: '/s',
  });
}

const thousands = ({ attendances }: Grown): string => attendances.toLocaleString('en');

function readTurn({ installation, server }: Grown, seconds: number): Promise<number> {
  const request = prepare({ method: 'GET', path: LIST, headers: headersFor(installation, server) });
  return readFor(seconds, server, () => request);
}

async function bookTurn({ attendances, installation, server }: Grown): Promise<number> {
  const before = await lastBooking(installation);
  const { perSecond } = await bookFor(installation, server, { seconds: 60, requests: BOOKINGS }, (i) =>
    pair(installation, attendances + i),
  );
  const { db, provider } = installation;
  await db.transaction(provider, (tx) =>
    tx.run(sql`DELETE FROM attendance WHERE provider_id = ${provider} AND id > ${before}`),
  );
  await vacuum(installation.url);
  return perSecond;
}
