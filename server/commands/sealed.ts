/**
 * Values in the database that are sealed with a key that this installation does not have: reported by `restore`,
 * `doctor`, and at startup.
 */
import type pg from 'pg';
import { connectTo } from '../kernel/base/db/connections/connect.ts';
import { keyFile, type SecretBox } from '../kernel/base/secret-box.ts';
import type { Config } from '../config.ts';

const SEALED = [
  {
    one: 'second factor',
    many: 'second factors',
    from: 'user_account',
    column: 'totp_secret',
    where: 'totp_secret IS NOT NULL',
  },
  {
    one: 'webhook secret',
    many: 'webhook secrets',
    from: 'webhook_secret',
    column: 'sealed',
    where: 'expires_at IS NULL OR expires_at > now()',
  },
  {
    one: 'signing key',
    many: 'signing keys',
    from: 'signing_key',
    column: 'private_sealed',
    where: 'retired_at IS NULL OR retired_at > now()',
  },
  {
    one: 'payment processor',
    many: 'payment processors',
    from: 'payment_processor',
    column: 'sealed',
    where: 'sealed IS NOT NULL',
  },
  {
    one: 'external calendar',
    many: 'external calendars',
    from: 'external_calendar_account',
    column: 'sealed',
    where: 'sealed IS NOT NULL',
  },
] as const;

type Queries = Pick<pg.Client, 'query'>;

/**
 * Returns, for example, "3 second factors, 1 signing key"; null: everything can be opened. The role must see every
 * business.
 */
export async function sealedElsewhere(client: Queries, box: SecretBox | null): Promise<string | null> {
  const found: string[] = [];
  for (const { one, many, from, column, where } of SEALED) {
    const {
      rows: [{ n }],
    } = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${from} WHERE (${where}) AND split_part(${column}, '.', 2) <> ALL ($1::text[])`,
      [box?.keyIds ?? []],
    );
    if (n > 0) found.push(`${n} ${n === 1 ? one : many}`);
  }
  return found.length === 0 ? null : found.join(', ');
}

/** Checks a database by its owner's connection string. */
export async function lookForSealed(url: string, box: SecretBox | null): Promise<string | null> {
  const client = await connectTo(url);
  try {
    await client.query('SET ROLE rollcall_across');
    return await sealedElsewhere(client, box);
  } finally {
    await client.end();
  }
}

/** Returns where the key of an installation is kept. */
export const keyPlace = ({ secretKeys, dataDir }: Config): string =>
  secretKeys.length > 0 ? 'SECRET_KEY' : keyFile(dataDir);

export const WITHOUT_KEY =
  'Without it, people have to set up their second factor again, webhook destinations pause until their secret is rotated, ' +
  'people have to log in to applications again, the keys of payment processors have to be entered again, and calendars ' +
  'have to be connected and subscribed to again.';

/** Returns the remedy if the key is another one. */
export function keyRemedy(config: Config): string {
  const or = config.secretKeys.length > 0 ? ' or SECRET_KEY_PREVIOUS' : ', or set SECRET_KEY,';
  return `Put the key of the installation that the data comes from in ${keyPlace(config)}${or} and start again. ${WITHOUT_KEY}`;
}
