/** Writes of applications, for the endpoints of this area and the command line. */
import { applicationFeed } from './feed.ts';
import { changedNames, insertRow, lockRows, updateRow } from '../../../kernel/work/unit/row.ts';
import { endSecrets, issueSecret, newClientId, PROPERTY, type SecretKind } from './secrets.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface NewApplication {
  name: string;
  domain?: string | null;
  scopes: readonly string[];
  allowed_callback_urls?: readonly string[];
  is_public?: boolean;
  is_assistant?: boolean;
  daily_message_limit?: number | null;
  daily_amount_limit_minor?: number | null;
}

/** Creates an application and returns its id. The response shows the client secret, if the application has one. */
export async function createApplication(work: Work, values: NewApplication): Promise<number> {
  const id = await insertRow(work, 'application', { ...values, client_id: newClientId() });
  if (!values.is_public) await issueSecret(work, id, 'client');
  work.record(applicationFeed.created, id, { application: id });
  return id;
}

/** Returns the application, locked for a decision of the operator; undefined if it no longer exists. */
export async function lockApplication(work: Work, id: number): Promise<Record<string, any> | undefined> {
  const [row] = await lockRows(work, 'application', [id], 'UPDATE');
  if (!row || row.deleted_at !== null) return undefined;
  work.touch('application', id, row);
  return row;
}

/** Updates columns; `changed` lists the changed properties under their public names. */
export async function changeApplication(
  work: Work,
  id: number,
  values: Record<string, unknown>,
  changed = changedNames(values),
): Promise<void> {
  if (!(await updateRow(work, 'application', id, values))) return;
  if (values.is_public === true) await endSecrets(work, id, 'client');
  work.record(applicationFeed.updated, id, { application: id, changed });
}

/** Rotates a secret. The response shows the new one. */
export async function rotateSecret(work: Work, id: number, kind: SecretKind, overlapHours: number): Promise<void> {
  await issueSecret(work, id, kind, overlapHours);
  work.record(applicationFeed.updated, id, { application: id, changed: [PROPERTY[kind]] });
}

/** Deletes the application with its secrets and tokens; all of them end with this transaction. */
export async function deleteApplication(work: Work, id: number): Promise<void> {
  await updateRow(work, 'application', id, { deleted_at: instant(work.now) });
  await endSecrets(work, id, 'client');
  await endSecrets(work, id, 'direct_auth');
  await endAuthorizations(work, id);
  work.record(applicationFeed.deleted, id, { application: id });
}

/**
 * Ends authorizations. `byPassword`: only those that people granted by entering their password into the application.
 */
async function endAuthorizations(work: Work, applicationId: number, { byPassword = false } = {}): Promise<void> {
  await work.tx.run(
    sql`UPDATE app_authorization SET ended_at = ${instant(work.realNow)}, end_reason = 'revoked'
        WHERE provider_id = ${work.providerId} AND application_id = ${applicationId} AND ended_at IS NULL
          AND (NOT ${byPassword}::boolean OR oidc_grant_id IS NULL)`,
  );
}

/**
 * Ends everything that the assistant holds of the person who made this authorization, on every device, and their
 * consent.
 */
export async function disconnectAssistant(work: Work, authorizationId: number): Promise<void> {
  const same = sql`(provider_id, application_id, user_id) = (SELECT provider_id, application_id, user_id
    FROM app_authorization WHERE provider_id = ${work.providerId} AND id = ${authorizationId})`;
  await work.tx.run(sql`DELETE FROM app_consent WHERE ${same}`);
  await work.tx.run(
    sql`UPDATE app_authorization SET ended_at = ${instant(work.realNow)}, end_reason = 'disconnected'
        WHERE ${same} AND ended_at IS NULL AND entrance <> 'interface'`,
  );
}

/** Approves that the application collects passwords; the response shows its key. */
export async function approveDirectAuth(work: Work, id: number): Promise<void> {
  await decide(work, id, { direct_auth_status: 'approved', direct_auth_reason: null });
  await issueSecret(work, id, 'direct_auth');
}

/** Refuses or withdraws direct authentication: the key and everything that was obtained with it end. */
export async function refuseDirectAuth(work: Work, id: number, reason: string): Promise<void> {
  await decide(work, id, { direct_auth_status: 'refused', direct_auth_reason: reason });
  await endSecrets(work, id, 'direct_auth');
  await endAuthorizations(work, id, { byPassword: true });
}

const decide = (work: Work, id: number, values: Record<string, unknown>): Promise<void> =>
  changeApplication(work, id, { ...values, direct_auth_decided_at: instant(work.now) }, ['direct_auth']);
