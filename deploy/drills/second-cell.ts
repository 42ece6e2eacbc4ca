/**
 * A second cell, on a machine of its own: a plain PostgreSQL, a server and a worker. Follows docs/operations.md, "From
 * one installation to two cells"; from then on, the first cell is one of two.
 */
import { until } from './wait.ts';
import { addUser, answers, filledIn, introduce, PASSWORD, PROJECT, type Cell } from './cell.ts';
import { BIN, DATA, makeDataFolder, startPostgres, SUPERUSER_PASSWORD } from './database-machine.ts';
import { Machine } from './machine.ts';
import { restartOneByOne } from './upgrade.ts';
import type { Load } from './load.ts';

const NUMBER = 4;
const READY_MS = 240_000;
const HBA = 'local all postgres peer\nhost all all samenet scram-sha-256\n';

export interface SecondCell {
  readonly machine: Machine;
  /** address of its server */
  readonly url: string;
  readonly databaseUrl: string;
}

/** Starts the second cell while `load` continues. */
export async function startSecondCell(cell: Cell, load: Load): Promise<SecondCell> {
  const machine = await Machine.start(NUMBER, cell.folder, PROJECT);
  const url = `http://${machine.address}:8080`;
  const databaseUrl = `postgresql://rollcall:${PASSWORD}@${machine.name}:5432/rollcall`;
  const settings = (own: number) => `CELL=${own}\nCELLS=1=${cell.url},2=${url}\n`;
  for (const one of cell.databases) cell.giveSettings(one, settings(1));
  await restartOneByOne(cell, load);

  const all = [...cell.machines, machine];
  for (const one of all) introduce(one, all);
  await addUser(machine);
  await startDatabase(machine);
  cell.giveSettings(machine, `DATABASE_URL=${databaseUrl}\n${settings(2)}`);
  await machine.start('rollcall-server');
  await until('the second cell is ready', () => answers(`${url}/readyz`), READY_MS);
  await machine.start('rollcall-worker');
  return { machine, url, databaseUrl };
}

async function startDatabase(machine: Machine): Promise<void> {
  await makeDataFolder(machine);
  machine.write('/run/superuser', `${SUPERUSER_PASSWORD}\n`);
  machine.write('/etc/patroni/create-database', filledIn('database/create-database', []), 0o755);
  const initdb = ['--pwfile=/run/superuser', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'];
  await machine.run('postgres', [`${BIN}/initdb`, '-D', DATA, ...initdb]);
  machine.write(`${DATA}/pg_hba.conf`, HBA);
  await startPostgres(machine, '-c wal_level=logical');
  const socket = 'postgresql:///postgres?host=/run/postgresql';
  const env = { ROLLCALL_DATABASE_PASSWORD: PASSWORD };
  await machine.run('postgres', ['/etc/patroni/create-database', socket], { env });
}
