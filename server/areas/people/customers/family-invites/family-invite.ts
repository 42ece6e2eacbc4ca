import { email, id, instant, ref, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { familyInvitePath, INVITE_TTL_MS } from '../../identity/index.ts';
import { may, nowInstant, viewingCustomer } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

/** Matches families that the viewer manages. */
const ofMyManaging = (t: string) => sql`${raw(t)}.family_id = (SELECT me.family_id FROM customer me
  WHERE me.provider_id = current_provider_id() AND me.id = ${viewingCustomer} AND me.family_role = 'manager')`;

/** Matches invites that can still be accepted. */
export const isOpen = (t: string) => sql`(${raw(t)}.claimed_at IS NULL
  AND ${raw(t)}.created_at > ${nowInstant}::timestamptz - interval '${raw(String(INVITE_TTL_MS))} milliseconds')`;

export const familyInvite = resource('family_invite', {
  description: 'An invitation to another parent to join a family: to see its children and to book for them.',
  fields: {
    id: id(),
    first_name: text({ max: 256 }),
    last_name: text({ max: 256 }),
    email: email(),
    claim_url: uri()
      .nullable()
      .computed(
        (t) => [raw(`${t}.provider_id`), sql`CASE WHEN ${isOpen(t)} THEN ${raw(t)}.id END`],
        ([provider, invite], wire) =>
          invite && `${wire.pagesUrl}${familyInvitePath(wire.secrets, Number(provider), Number(invite))}`,
      )
      .describe('The page on which the person joins. Anybody who opens it can join, so share it with them only.'),
    claimed_by: ref('customer', 'claimed_by_id').nullable().describe('The customer who joined. Null until then.'),
    invited_by: ref('customer', 'invited_by_id'),
    created_at: instant(),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, 'customers'),
    customer: ofMyManaging,
    unregistered: false,
  },
});
