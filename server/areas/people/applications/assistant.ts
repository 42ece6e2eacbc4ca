import { boolean, id, instant, ref, refBy, text } from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

/** Matches every log-in, not ended, of the same person with the same assistant as row `t`. */
const together = (t: string): Sql =>
  sql`x.provider_id = ${raw(t)}.provider_id AND x.application_id = ${raw(t)}.application_id
    AND x.user_id = ${raw(t)}.user_id AND x.entrance <> 'interface' AND x.ended_at IS NULL`;

const overAll = (t: string, value: string): Sql =>
  sql`(SELECT ${raw(value)} FROM app_authorization x WHERE ${together(t)})`;

/**
 * A person may log in several times with one assistant, for example on two devices. They are one row here: the first
 * that hasn't ended, so that its id stays when a device is added.
 */
const isShown = (t: string): Sql =>
  sql`${raw(t)}.entrance <> 'interface' AND ${raw(t)}.ended_at IS NULL AND ${raw(t)}.id = ${overAll(t, 'min(x.id)')}`;

const staffFor = (t: string): Sql =>
  sql`(SELECT min(p.id) FROM staff p
    WHERE p.provider_id = ${raw(t)}.provider_id AND p.user_id = ${raw(t)}.user_id)`;
const customerFor = (t: string): Sql =>
  sql`(SELECT min(p.id) FROM customer p
    WHERE p.provider_id = ${raw(t)}.provider_id AND p.user_id = ${raw(t)}.user_id)`;

export const assistant = resource('assistant', {
  description:
    'An assistant that a person connected: it reads what they may see, and proposes changes that they confirm.',
  table: 'app_authorization',
  fields: {
    id: id(),
    name: text({ max: 255 })
      .from(
        (t) => sql`(SELECT a.name FROM application a
        WHERE a.provider_id = ${raw(t)}.provider_id AND a.id = ${raw(t)}.application_id)`,
      )
      .describe('Name of its application.'),
    application: ref('application'),
    staff: refBy('staff', staffFor).nullable().describe('The person, if they are staff.'),
    customer: refBy('customer', customerFor).nullable().describe('The person, if they are a customer.'),
    proposes_changes: boolean()
      .from((t) => overAll(t, "coalesce(bool_or(x.entrance = 'mcp' AND 'read_write' = ANY(x.scopes)), false)"))
      .describe('Whether it may propose changes. Otherwise it only reads.'),
    connected_at: instant().from((t) => raw(`${t}.created_at`)),
    last_used_at: instant()
      .nullable()
      .from((t) => overAll(t, 'max(x.last_used_at)'))
      .describe('Accurate to the minute.'),
  },
  visible: {
    provider: (t, viewer) => may(viewer, 'super_admin') && isShown(t),
    customer: false,
    unregistered: false,
  },
});
