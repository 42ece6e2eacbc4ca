/** Problems of the replicas that prevent reads. */
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { DATABASE, PRIMARY, REPLICA, timelineOf, type Replayed } from '../replicas/position.ts';
import { PATIENCE } from '../../kernel/base/db/connections/patience.ts';
import { sharesSessions } from '../../kernel/base/db/connections/pooler.ts';
import { SHARED, findUnmetRequirements } from '../replicas/replica-requirements.ts';
import type { Finding } from '../../commands/doctor/doctor-finding.ts';
import type { ReplicaAddress } from '../replicas/addresses.ts';

interface Primary {
  readonly database: string;
  readonly timeline: number;
}

async function ask<Row extends object>(url: string, ...statements: readonly string[]): Promise<Row> {
  const client = await connectTo(url, PATIENCE);
  try {
    const rows: object[] = [];
    for (const text of statements) rows.push((await client.query(text)).rows[0]);
    return Object.assign({}, ...rows) as Row;
  } finally {
    await client.end();
  }
}

/** Returns the findings. `url`: connection string of the primary. */
export async function replicaFindings(url: string, replicas: readonly ReplicaAddress[]): Promise<Finding[]> {
  if (replicas.length === 0) return [];
  let primary: Primary;
  try {
    const said = await ask<{ database: string; timeline: string }>(url, DATABASE, PRIMARY);
    primary = { ...said, timeline: timelineOf(said) };
  } catch (error) {
    return [
      {
        wrong: `The server of DATABASE_URL does not say how far its log is, so no replica is read from: ${(error as Error).message}.`,
        remedy: 'Name the server that takes writes in DATABASE_URL.',
      },
    ];
  }
  const found = await Promise.all(replicas.map((replica) => examine(replica, primary)));
  return found.filter((finding) => finding !== null);
}

async function examine({ name, url }: ReplicaAddress, primary: Primary): Promise<Finding | null> {
  try {
    const unfit = (await sharesSessions(url))
      ? SHARED
      : findUnmetRequirements(await ask<Replayed>(url, DATABASE, REPLICA), primary);
    return unfit && { wrong: `The replica ${name} ${unfit.is}.`, remedy: unfit.remedy };
  } catch (error) {
    return {
      wrong: `The replica ${name} can’t be read from: ${(error as Error).message}.`,
      remedy: 'Start it, or take it out of REPLICA_URL. Until then, the primary answers everything.',
    };
  }
}
