/**
 * The applications that act for a person, and how the person disconnects them. Needs a transaction across tenants
 * throughout.
 */
import { endAuthorizations } from './tokens.ts';
import { describeScopes, type Wish } from './consent.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface Connected {
  /** of the application */
  readonly id: number;
  readonly name: string;
  readonly since: number;
  /** last use as an assistant; null: it isn't one */
  readonly assistantUsedAt: number | null;
  /** the permissions that it has */
  readonly may: readonly Wish[];
}

const MAX_CONNECTIONS = 200;

export async function connectionsOf(tx: Transaction, userId: number, now: number): Promise<Connected[]> {
  const rows = await tx.rows<{
    id: number;
    name: string;
    is_assistant: boolean;
    since: number;
    used: number | null;
    scopes: string[];
  }>(
    sql`SELECT app.id, app.name, app.is_assistant, min(x.since) AS since, max(x.used) AS used,
          array_agg(DISTINCT s.scope) AS scopes
        FROM (SELECT provider_id, application_id, given_at AS since, NULL::timestamptz AS used, scopes
              FROM app_consent WHERE user_id = ${userId}
              UNION ALL SELECT provider_id, application_id, created_at,
                CASE WHEN entrance <> 'interface' THEN coalesce(last_used_at, created_at) END, scopes
              FROM app_authorization
              WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > ${instant(now)}) x
        JOIN application app ON app.provider_id = x.provider_id AND app.id = x.application_id AND app.deleted_at IS NULL
        CROSS JOIN LATERAL unnest(x.scopes) s (scope)
        GROUP BY app.id, app.name, app.is_assistant ORDER BY app.name, app.id
        LIMIT ${MAX_CONNECTIONS}`,
  );
  return rows.map(({ id, name, is_assistant: isAssistant, since, used, scopes }) => ({
    id,
    name,
    since,
    assistantUsedAt: used ?? (isAssistant ? since : null),
    may: describeScopes(scopes, { isAssistant }),
  }));
}

/** Returns what the changes of an assistant may do in a day; null: no limit. Money in minor units. */
export const readDailyLimits = (
  tx: Transaction,
  providerId: number,
  applicationId: number,
): Promise<{ readonly messages: number | null; readonly amount: number | null } | undefined> =>
  tx.one(
    sql`SELECT daily_message_limit AS messages, daily_amount_limit_minor AS amount FROM application
      WHERE provider_id = ${providerId} AND id = ${applicationId}`,
  );

/** Returns the assistants that a business registered, for people who connect one. */
export const registeredAssistants = (
  tx: Transaction,
  providerId: number,
): Promise<{ readonly name: string; readonly client_id: string }[]> =>
  tx.rows(
    sql`SELECT name, client_id FROM application
      WHERE provider_id = ${providerId} AND is_assistant AND deleted_at IS NULL ORDER BY name, id LIMIT 20`,
  );

/**
 * Ends everything that the application holds of the person, and the person's consent. Null if they aren't connected.
 */
export async function disconnect(
  tx: Transaction,
  userId: number,
  applicationId: number,
  now: number,
): Promise<{ name: string } | null> {
  const consents = await tx.run(
    sql`DELETE FROM app_consent WHERE user_id = ${userId} AND application_id = ${applicationId}`,
  );
  const ended = await endAuthorizations(
    tx,
    sql`user_id = ${userId} AND application_id = ${applicationId}`,
    'disconnected',
    now,
  );
  if (consents + ended === 0) return null;
  return (await tx.one<{ name: string }>(sql`SELECT name FROM application WHERE id = ${applicationId}`))!;
}
