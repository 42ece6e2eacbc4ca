import { answer, read, type Who } from '../../../kernel/api/endpoint.ts';
import { id, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { machineTokenOf } from '../identity/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Everyone with a credential. */
export const ANYBODY_KNOWN: Who = { provider: true, customer: true, unregistered: false };

const MAX_BUSINESSES = 1000;

const applicationOf = async (tx: Transaction, id: number | null) =>
  id === null
    ? undefined
    : tx.one<{ id: number; name: string }>(
        sql`SELECT id, name FROM application WHERE id = ${id} AND deleted_at IS NULL`,
      );

export const own_application = read({
  path: '/auth/application',
  belongsTo: 'installation',
  summary: 'Get the application behind the token',
  description:
    `Returns the application and the businesses that the token gives access to, at most ${MAX_BUSINESSES}. A machine token belongs to no application and stands for itself: ` +
    '`id` and `name` are those of the token. A good first call to test a connection.',
  who: ANYBODY_KNOWN,
  returns: answer({
    object: oneOf(['authenticated_application']),
    id: id(),
    name: text({ max: 255 }),
    scoped_providers: listOf(object({ object: oneOf(['scoped_provider']), id: id(), name: text({ max: 255 }) })),
  }),
  run: async ({ work, grant }) => {
    const machine = grant!.kind === 'machine';
    const found = machine
      ? await machineTokenOf(work.tx, grant!.credential)
      : await applicationOf(work.tx, grant!.applicationId);
    if (!found) throw new Problem('not_found', 'There is no application behind this credential.');
    const reach = machine ? grant!.profiles.map((profile) => profile.providerId) : grant!.reach;
    const reached = reach === null ? raw('true') : sql`provider_id = ANY(${reach}::bigint[])`;
    const providers = await work.tx.rows<{ id: number; name: string }>(
      sql`SELECT provider_id AS id, name FROM provider WHERE ${reached} ORDER BY provider_id
        LIMIT ${MAX_BUSINESSES}`,
    );
    return {
      object: 'authenticated_application',
      ...found,
      scoped_providers: providers.map((p) => ({ object: 'scoped_provider', ...p })),
    };
  },
});
