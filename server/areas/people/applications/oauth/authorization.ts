/** The authorization that an access token names, as the database has it. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { stands } from './tokens.ts';
import type { Entrance } from '../../../../kernel/work/access/grant.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface AuthorizationRow {
  readonly provider_id: number;
  readonly application_id: number;
  readonly user_id: number;
  readonly scopes: string[];
  readonly provider_ids: number[] | null;
  readonly second_factor: boolean;
  readonly entrance: Entrance;
  /** limits that the person set for an assistant; null: none */
  readonly permissions: string[] | null;
  readonly venue_ids: number[] | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly client_id: string;
  readonly application_name: string;
  readonly application_scopes: string[];
  readonly installation_wide: boolean;
}

/** The claims of an access token that name its authorization. */
export interface AuthorizationKey {
  readonly authorization: number;
  readonly sub: string;
  readonly client_id: string;
}

/** Reads the authorization. Null if it is not in this cell, has ended, or differs from the token. */
export async function readAuthorization(
  tx: Transaction,
  token: AuthorizationKey,
  now: number,
): Promise<AuthorizationRow | null> {
  const row = await tx.one<AuthorizationRow>(
    sql`SELECT a.provider_id, a.application_id, a.user_id, a.scopes, a.provider_ids, a.second_factor,
      a.entrance, a.permissions, a.venue_ids, a.created_at, a.expires_at,
               app.client_id, app.name AS application_name, app.scopes AS application_scopes, app.installation_wide
        FROM app_authorization a
        JOIN application app ON app.provider_id = a.provider_id AND app.id = a.application_id
        JOIN user_account u ON u.id = a.user_id
        WHERE a.id = ${token.authorization} AND a.ended_at IS NULL AND a.expires_at > ${instant(now)} AND ${stands}`,
  );
  return row && String(row.user_id) === token.sub && row.client_id === token.client_id ? row : null;
}
