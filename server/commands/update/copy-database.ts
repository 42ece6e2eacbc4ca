/** A copy of a database on the same server, which can take its place. */
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { quote } from '../../kernel/base/db/quote.ts';
import type pg from 'pg';

/** Returns the name of the database in a connection string. */
export const databaseName = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

/** Returns the connection string of another database on the same server. */
export function urlBeside(url: string, name: string): string {
  const beside = new URL(url);
  beside.pathname = `/${encodeURIComponent(name)}`;
  return beside.href;
}

/** Runs `work` on the server's own database: one that is in use can't be copied or renamed. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectTo(urlBeside(url, 'postgres'));
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const copyName = (url: string): string => `${databaseName(url)}_next`;
const oldName = (url: string): string => `${databaseName(url)}_before`;

const drop = (client: pg.Client, name: string): Promise<unknown> =>
  client.query(`DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`);

/** Copies the database, which nothing may be using, and returns the connection string of the copy. */
export async function copyDatabase(url: string): Promise<string> {
  await onServer(url, async (client) => {
    // An earlier update was interrupted: its copy was never used.
    await drop(client, copyName(url));
    await client.query(
      `CREATE DATABASE ${quote(copyName(url))} TEMPLATE ${quote(databaseName(url))} STRATEGY file_copy`,
    );
  });
  return urlBeside(url, copyName(url));
}

export const dropCopy = (url: string): Promise<unknown> => onServer(url, (client) => drop(client, copyName(url)));

/** Puts the copy in the place of the database, in one transaction, and drops the old one afterwards. */
export async function useCopy(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await drop(client, oldName(url));
    await client.query('BEGIN');
    await client.query(`ALTER DATABASE ${quote(databaseName(url))} RENAME TO ${quote(oldName(url))}`);
    await client.query(`ALTER DATABASE ${quote(copyName(url))} RENAME TO ${quote(databaseName(url))}`);
    await client.query('COMMIT');
    await drop(client, oldName(url));
  });
}
