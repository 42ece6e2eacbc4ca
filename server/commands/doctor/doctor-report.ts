/**
 * The report of `rollcall doctor --report`: what helps to understand a problem, as a text that a person reads before
 * they send it to anybody. It has no personal data and no values of settings.
 */
import { arch, platform, release as kernel, totalmem } from 'node:os';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { SETTINGS } from '../../settings.ts';
import type { Config } from '../../config.ts';
import type { Finding } from './doctor-finding.ts';

/** Facts about the database. */
interface DatabaseFacts {
  readonly postgres: string;
  readonly megabytes: number;
  readonly lastMigration: string;
  /** an estimate of the number of rows of each large table, as a power of ten */
  readonly tables: readonly { readonly name: string; readonly about: number }[];
}

const LARGEST = 15;

/** Returns the report. `env`: its values are left out. */
export async function writeReport(
  url: string,
  config: Config,
  findings: readonly Finding[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const facts = await readFacts(url);
  const set = SETTINGS.flatMap(({ names }) => names).filter((name) => env[name]);
  return [
    '# Rollcall: report of the doctor',
    '',
    'Rollcall sends this file to nobody. Read it, and send it yourself if you want help. It has no names, addresses, ids',
    'of people, values of settings, or secrets.',
    '',
    `- Release: ${RELEASE}, last migration ${facts.lastMigration}`,
    `- Machine: ${platform()} ${kernel()} ${arch()}, ${Math.round(totalmem() / 1e9)} GB, Node.js ${process.version}`,
    `- PostgreSQL: ${facts.postgres}, ${config.databaseUrl ? 'external' : 'embedded'}, ${facts.megabytes} MB`,
    `- Role: ${config.role}`,
    `- Settings that are set: ${set.length > 0 ? set.join(', ') : 'none'}`,
    '',
    '## Findings',
    '',
    ...(findings.length === 0
      ? ['None.']
      : findings.map(({ wrong, remedy }) => `- ${withoutDetails(wrong, env)} Remedy: ${withoutDetails(remedy, env)}`)),
    '',
    '## Largest tables',
    '',
    ...facts.tables.map(({ name, about }) => `- ${name}: about ${about} rows`),
    '',
  ].join('\n');
}

/** Values of settings that are also ordinary words of a finding. */
const SHORTEST_VALUE = 5;

/**
 * Removes everything from a text that may name a person, a machine or a secret: what is in parentheses, such as the
 * error of a job, addresses, paths, and the values of settings.
 */
export function withoutDetails(text: string, env: NodeJS.ProcessEnv): string {
  const values = SETTINGS.flatMap(({ names }) => names.flatMap((name) => env[name] ?? [])).filter(
    (value) => value.length >= SHORTEST_VALUE,
  );
  let plain = text;
  for (const value of values.toSorted((a, b) => b.length - a.length)) plain = plain.replaceAll(value, '[setting]');
  return plain
    .replaceAll(/\w+:\/\/\S+/g, '[address]')
    .replaceAll(/[^\s"'(]+@[^\s"',;)]+/g, '[address]')
    .replaceAll(/(?<=^|[\s"'(])\/[^\s"',;)]+/g, '[path]')
    .replaceAll(/\([^()]*\)/g, '(…)')
    .replaceAll(/\b(process \d+ on|clock of|host) [^\s,.:]+/g, '$1 [machine]')
    .replaceAll(/\s+/g, ' ');
}

async function readFacts(url: string): Promise<DatabaseFacts> {
  const client = await connectTo(url);
  try {
    const known = await client.query(`SELECT to_regclass('public.schema_migration') IS NOT NULL AS known`);
    const { rows: server } = await client.query(
      `SELECT current_setting('server_version') AS postgres,
         (pg_database_size(current_database()) / 1000000)::int AS megabytes`,
    );
    const { rows: last } = known.rows[0].known
      ? await client.query('SELECT name FROM public.schema_migration ORDER BY version DESC LIMIT 1')
      : { rows: [] };
    const { rows: tables } = await client.query(
      `SELECT relname AS name, (10 ^ round(log(greatest(reltuples, 1)::numeric)))::float8 AS about FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY reltuples DESC, relname LIMIT ${LARGEST}`,
    );
    return { ...server[0], lastMigration: last[0]?.name ?? 'none', tables };
  } finally {
    await client.end();
  }
}
