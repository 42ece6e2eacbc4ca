import { raw } from '../../../kernel/base/db/sql.ts';
import { changesBetween } from './rules/changes.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { group, id, instant, listOf, map, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { resource } from '../../../kernel/api/resource.ts';

/** Returns a field for a stored value of any kind. */
const anything = () => new Field<unknown>({ schema: {}, read: (input) => input });

/** Returns the id in an actor of this kind; for actors of another kind, nothing is looked up. */
const actorId = (t: string) => `split_part(${t}.actor, ':', 2)::bigint`;
const isOf = (t: string, kind: string) => `${t}.actor ~ '^${kind}:[0-9]{1,18}$'`;

/**
 * Selects the name of a person at this business, by a condition over the profile; the staff profile comes before the
 * customer profile.
 */
const person = (t: string, ofStaff: string, ofCustomer: string) => `coalesce(
    (SELECT s.first_name || ' ' || s.last_name FROM staff s WHERE s.provider_id = ${t}.provider_id AND ${ofStaff}
      ORDER BY s.id LIMIT 1),
    (SELECT concat_ws(' ', c.first_name, c.last_name) FROM customer c
      WHERE c.provider_id = ${t}.provider_id AND ${ofCustomer} ORDER BY c.id LIMIT 1))`;

/** Selects the name, at this business, of the person who made the change of the row under an alias. */
export const actorName = (t: string) =>
  raw(`CASE
    WHEN ${isOf(t, 'machine_token')} THEN (SELECT m.name FROM machine_token m
      WHERE m.provider_id = ${t}.provider_id AND m.id = ${actorId(t)})
    WHEN ${isOf(t, 'staff')} THEN ${person(t, `s.id = ${actorId(t)}`, 'false')}
    WHEN ${isOf(t, 'customer')} THEN ${person(t, 'false', `c.id = ${actorId(t)}`)}
    WHEN ${isOf(t, 'user')} THEN ${person(t, `s.user_id = ${actorId(t)}`, `c.user_id = ${actorId(t)}`)}
    WHEN ${t}.user_id IS NOT NULL THEN ${person(t, `s.user_id = ${t}.user_id`, `c.user_id = ${t}.user_id`)}
  END`);

/** `machine_token:7` → kind and id; `job:bulk_cancel_events` → kind and name; `anonymous` → kind. */
function printActor([actor, known]: (string | null)[]) {
  const [kind, rest] = actor!.split(/:(.*)/s);
  const isId = /^\d{1,15}$/.test(rest ?? '');
  return { kind, id: isId ? Number(rest) : null, name: isId ? known : (known ?? (rest || null)) };
}

const change = { name: text(), old: anything().nullable(), new: anything().nullable() };

export const auditEntry = resource('audit_entry', {
  description: 'A change: one row of the business before and after a request or job.',
  fields: {
    id: id(),
    timestamp: instant().from((t) => raw(`${t}.at`)),
    request_id: text().describe('The `Request-Id` of the response, or `job-` and the number of the job.'),
    actor: object({ kind: text(), id: id().nullable(), name: text().nullable() })
      .computed((t) => [raw(`${t}.actor`), actorName(t)], printActor)
      .describe(
        'The credential that made the change: `machine_token`, `user`, `job` and so on. The name is the current one.',
      ),
    user: id()
      .nullable()
      .from((t) => raw(`${t}.user_id`))
      .describe('The account of the person who made the change.'),
    application: id()
      .nullable()
      .from((t) => raw(`${t}.application_id`))
      .describe('The application that made the change for the person.'),
    mode: oneOf(['provider', 'customer', 'unregistered', 'operator']),
    action: text().describe('Method and path of the endpoint, or what a job did.'),
    subject: group({
      object: text().from((t) => raw(`${t}.object`)),
      id: id()
        .nullable()
        .from((t) => raw(`${t}.object_id`)),
    }).describe('The object that was changed.'),
    before: map()
      .nullable()
      .describe('The row before the change, with times in epoch milliseconds. Null if it did not exist.'),
    after: map().nullable().describe('The row after the change. Null if it was deleted.'),
    changes: listOf(object(change)).computed(
      (t) => [raw(`${t}.before`), raw(`${t}.after`)],
      ([before, after]) =>
        changesBetween(before === null ? null : JSON.parse(before), after === null ? null : JSON.parse(after)),
    ),
  },
  // Rows contain everything that the business knows about people, so nobody else may read them in any way.
  visible: { provider: (_t, viewer) => viewer.permissions.has('super_admin'), customer: false, unregistered: false },
});
