/** Applications, as the OpenID provider sees them. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { AdapterPayload } from 'oidc-provider';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface ClientApplication {
  readonly providerId: number;
  readonly id: number;
  readonly name: string;
  readonly domain: string | null;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly callbackUrls: readonly string[];
  readonly isPublic: boolean;
  /** its tokens are for the endpoint for assistants alone */
  readonly isAssistant: boolean;
  readonly firstParty: boolean;
  readonly installationWide: boolean;
  /** name of the business that owns it */
  readonly businessName: string;
}

interface ClientRow {
  provider_id: number;
  id: number;
  name: string;
  domain: string | null;
  scopes: string[];
  allowed_callback_urls: string[];
  is_public: boolean;
  is_assistant: boolean;
  first_party: boolean;
  installation_wide: boolean;
  business: string;
}

const IDENTITY_SCOPES = ['openid', 'email', 'profile'];

/**
 * Reads the application of a client. Needs a transaction across tenants: a client sends its id before the business is
 * known.
 */
export async function applicationOfClient(tx: Transaction, clientId: string): Promise<ClientApplication | null> {
  const row = await tx.one<ClientRow>(
    sql`SELECT a.provider_id, a.id, a.name, a.domain, a.scopes, a.allowed_callback_urls, a.is_public, a.is_assistant,
      a.first_party, a.installation_wide, p.name AS business
        FROM application a JOIN provider p USING (provider_id)
        WHERE a.client_id = ${clientId} AND a.deleted_at IS NULL`,
  );
  if (!row) return null;
  return {
    providerId: row.provider_id,
    id: row.id,
    name: row.name,
    domain: row.domain,
    clientId,
    scopes: row.scopes,
    callbackUrls: row.allowed_callback_urls,
    isPublic: row.is_public,
    isAssistant: row.is_assistant,
    firstParty: row.first_party,
    installationWide: row.installation_wide,
    businessName: row.business,
  };
}

/** Permission to write includes permission to read. */
const allowedScopes = (scopes: readonly string[]): string[] => [
  ...IDENTITY_SCOPES,
  ...new Set(scopes.includes('read_write') ? ['read', 'read_write'] : scopes),
];

/** Returns the scope of a request that names none. */
export const declaredScope = (application: ClientApplication): string =>
  application.scopes.includes('read_write') ? 'read_write' : application.scopes.join(' ');

/**
 * Returns the metadata of a client. Secrets aren't part of it: they are compared as hashes where they are stored.
 * `unusable` is a placeholder for the provider, which expects a secret.
 */
export const clientMetadata = (application: ClientApplication, unusable: string): AdapterPayload => ({
  client_id: application.clientId,
  client_name: application.name,
  redirect_uris: [...application.callbackUrls],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: allowedScopes(application.scopes).join(' '),
  ...(application.isPublic
    ? { token_endpoint_auth_method: 'none' }
    : { token_endpoint_auth_method: 'client_secret_post', client_secret: unusable }),
  application,
});
