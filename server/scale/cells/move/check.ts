/** Obstacles to a move, checked before anything is changed. Each is a sentence with its remedy. */
import { hasFolders } from './complete.ts';
import { readSchema } from '../../../kernel/base/archive/catalog.ts';
import type { Around } from './context.ts';
import type { End } from './ends.ts';
import type { MovedTable } from './tables.ts';

interface Server {
  readonly wal_level: string;
  readonly slots_left: number;
  readonly senders_left: number;
  readonly replicates: boolean;
  readonly creates: boolean;
}

const SOURCE = `
  SELECT current_setting('wal_level') AS wal_level,
    current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots)::int AS slots_left,
    current_setting('max_wal_senders')::int - (SELECT count(*) FROM pg_stat_replication)::int AS senders_left,
    -- Some providers of databases give the right by a role.
    (SELECT rolsuper OR rolreplication FROM pg_roles WHERE rolname = current_user)
      OR EXISTS (SELECT FROM pg_roles WHERE rolname = 'rds_replication' AND pg_has_role(oid, 'MEMBER')) AS replicates,
    has_database_privilege(current_database(), 'CREATE') AS creates`;

/** Returns the obstacles. `begun`: the move began before, so its own traces are no obstacle. */
export async function obstacles(
  around: Around,
  { from, to }: { readonly from: End; readonly to: End },
  tables: readonly MovedTable[],
  begun: boolean,
): Promise<string[]> {
  const found: string[] = [];
  const server = (await from.client.query(SOURCE)).rows[0] as Server;
  if (server.wal_level !== 'logical')
    found.push(
      `The PostgreSQL of this cell has wal_level = ${server.wal_level}. Remedy: set wal_level = logical there, and restart it.`,
    );
  if (server.slots_left < 1 && !begun)
    found.push('The PostgreSQL of this cell has no replication slot left. Remedy: raise max_replication_slots there.');
  if (server.senders_left < 1)
    found.push('The PostgreSQL of this cell has no sender of its log left. Remedy: raise max_wal_senders there.');
  if (!server.replicates)
    found.push('The role of DATABASE_URL may not read the log. Remedy: ALTER ROLE … REPLICATION on its server.');
  if (!server.creates)
    found.push(
      'The role of DATABASE_URL may not create a publication. Remedy: GRANT CREATE ON DATABASE … TO the role.',
    );
  const {
    rows: [{ stored }],
  } = await to.client.query(`SELECT has_parameter_privilege('session_replication_role', 'SET') AS stored`);
  if (!stored)
    found.push(
      'The role of MOVE_TO_DATABASE_URL may not write rows as they are. Remedy: GRANT SET ON PARAMETER session_replication_role TO the role.',
    );
  const [here, there] = [await readSchema(from.client), await readSchema(to.client)];
  if (here.sha256 !== there.sha256)
    found.push(
      `This cell is at migration ${here.last}, and the other one at ${there.last}, or at another version of it. Remedy: start the same release in both.`,
    );
  const names = await from.within((client) => around.names.of(client, from.business));
  const taken =
    names === null
      ? []
      : await to.transaction(async (client) => {
          await client.query('SET LOCAL ROLE rollcall_across');
          return around.names.taken(client, from.business, names);
        });
  for (const name of taken)
    found.push(`A business of the other cell has ${name} already. Remedy: change it for one of the two.`);
  if (around.files?.to === null && (await hasFolders(from, tables)))
    found.push(
      'The business has files, which are kept in DATA_DIR. Remedy: set MOVE_TO_DATA_DIR to the data folder of the other cell, or keep the files of all cells in one bucket.',
    );
  return found;
}
