/** The direct authentication key, as endpoints receive it, and the people whose passwords it may check. */
import { applicationOfKey, type DirectAuthApplication } from './secrets.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Whence } from '../identity/index.ts';

export const direct_auth_key = text({ max: 255 }).describe(
  'Direct authentication key of an application that may take passwords.',
);

/**
 * Returns the application of a key. @throws Problem permission_denied: 403, so that it is never mistaken for a wrong
 * password
 */
export async function applicationBy(db: Database, key: string, now: number): Promise<DirectAuthApplication> {
  const found = await db.acrossTenants('a direct authentication key says which application calls', (tx) =>
    applicationOfKey(tx, key, now),
  );
  if (!found) {
    const message = 'The direct authentication key is unknown or no longer works.';
    throw new Problem('permission_denied', message, { direct_auth_key: [message] });
  }
  return found;
}

export const applicationWhence = ({ providerId, name }: DirectAuthApplication, ip: string): Whence => ({
  address: ip,
  agent: '',
  providerId,
  application: name,
});

/** Returns a condition that matches the businesses within the application's reach. */
export const inReach = ({ installationWide, providerId }: DirectAuthApplication, column: string): Sql =>
  installationWide ? raw('true') : sql`${raw(column)} = ${providerId}`;

export const reaches = ({ installationWide, providerId }: DirectAuthApplication, id: number): boolean =>
  installationWide || id === providerId;
