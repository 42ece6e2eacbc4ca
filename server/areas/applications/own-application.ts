import { action, answer, type Who } from '../../kernel/api/endpoint.ts';
import { id, listOf, object, oneOf, text } from '../../kernel/api/kinds.ts';
import { Problem } from '../../kernel/api/problem.ts';
import { raw, sql } from '../../kernel/db/sql.ts';

/** Whoever has a credential. */
export const ANYBODY_KNOWN: Who = { provider: true, customer: true, unregistered: false };

const BUSINESSES_AT_MOST = 1000;

export const own_application = action({
  method: 'GET',
  path: '/auth/application',
  belongsTo: 'installation',
  summary: 'Get the application that the token was given to',
  description: `And the businesses that the token reaches, ${BUSINESSES_AT_MOST} at most. A machine token was given to no application: 404.`,
  who: ANYBODY_KNOWN,
  returns: answer({
    object: oneOf(['authenticated_application']),
    id: id(),
    name: text({ max: 255 }),
    scoped_providers: listOf(object({ object: oneOf(['scoped_provider']), id: id(), name: text({ max: 255 }) })),
  }),
  run: async ({ work, grant }) => {
    const asked = grant?.applicationId ?? null;
    const found = asked === null ? undefined : await work.tx.one<{ id: number; name: string }>(sql`SELECT id, name FROM application WHERE id = ${asked} AND deleted_at IS NULL`);
    if (!found) throw new Problem('not_found', 'The credential was not given to an application.');
    const reached = grant!.reach === null ? raw('true') : sql`provider_id = ANY(${grant!.reach}::bigint[])`;
    const providers = await work.tx.rows<{ id: number; name: string }>(sql`SELECT provider_id AS id, name FROM provider WHERE ${reached} ORDER BY provider_id LIMIT ${BUSINESSES_AT_MOST}`);
    return { object: 'authenticated_application', ...found, scoped_providers: providers.map((p) => ({ object: 'scoped_provider', ...p })) };
  },
});
