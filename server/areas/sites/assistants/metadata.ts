/** The description of the endpoint for clients that log in with OAuth (RFC 9728), and where it is. */
import type { Entrance } from '../../../kernel/work/access/grant.ts';

export const DOORS: readonly Exclude<Entrance, 'interface'>[] = ['mcp', 'mcp/read'];

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Paths at which the description of an entrance is published. Some clients ask at the root. */
export const metadataPaths = (entrance: Entrance): string[] =>
  entrance === 'mcp' ? [`${WELL_KNOWN}/mcp`, WELL_KNOWN] : [`${WELL_KNOWN}/${entrance}`];

export const metadataUrl = (baseUrl: string, entrance: Entrance): string => `${baseUrl}${metadataPaths(entrance)[0]}`;

export const scopesAt = (entrance: Entrance): string[] => (entrance === 'mcp' ? ['read', 'read_write'] : ['read']);

export const metadataFor = (baseUrl: string, entrance: Entrance) => ({
  resource: `${baseUrl}/${entrance}`,
  authorization_servers: [baseUrl],
  scopes_supported: scopesAt(entrance),
  bearer_methods_supported: ['header'],
  resource_name: entrance === 'mcp' ? 'Rollcall' : 'Rollcall, reading only',
  resource_documentation: `${baseUrl}/docs/guide/assistants`,
});
