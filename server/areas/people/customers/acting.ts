/** Decides for whom a caller may act: staff for anybody, customers for themselves and the children they manage. */
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { mayActFor, type Person } from './rules/may-change.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

async function people(work: Work, ids: readonly number[]): Promise<Map<number, Person>> {
  const rows = await work.tx.rows<{ id: number; family_id: number | null; family_role: Person['familyRole'] }>(
    sql`SELECT id, family_id, family_role FROM customer
      WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) AND deleted_at IS NULL`,
  );
  return new Map(rows.map((r) => [r.id, { id: r.id, familyId: r.family_id, familyRole: r.family_role }]));
}

/** Refuses customers who act for somebody they may not act for. */
export async function checkActsFor(work: Work, customerId: number): Promise<void> {
  const { mode, customerId: me } = work.viewer;
  if (mode === 'provider') return;
  if (me === customerId) return;
  const known = await people(work, [me!, customerId]);
  const [actor, subject] = [known.get(me!), known.get(customerId)];
  if (!actor || !subject) throw notFound();
  if (!mayActFor(actor, subject)) throw notYours();
}

/** Refuses customers who ask for the money of somebody for whom they don't pay: the same people as `ofMyPurse`. */
export async function checkSeesMoney(work: Work, customerId: number): Promise<void> {
  const { mode, customerId: me } = work.viewer;
  if (mode === 'provider' || me === customerId) return;
  const found = await work.tx.one(
    sql`SELECT FROM customer mine JOIN customer me ON me.provider_id = mine.provider_id AND me.id = ${me}
      WHERE mine.provider_id = ${work.providerId} AND mine.id = ${customerId} AND mine.family_id = me.family_id
        AND mine.family_role = 'child' AND me.family_role = 'manager' AND me.pays_for_family`,
  );
  if (!found) throw notYourMoney();
}

export const notYourMoney = () =>
  new Problem('permission_denied', {
    staff: 'In customer mode, you see only what you pay, for yourself and for your children.',
    customer: 'You see only what you pay, for yourself and for your children.',
  });

const notYours = () =>
  new Problem('permission_denied', {
    staff: 'In customer mode, you can act only for yourself and for the children of the family that you manage.',
    customer: 'You can act only for yourself and for the children of the family that you manage.',
  });

/** Checks the same for people who were read already: null if one may act for the other, otherwise the refusal. */
export function mayActForFamily(actor: Person, subject: Person): Problem | null {
  if (mayActFor(actor, subject)) return null;
  const family = actor.familyId !== null && actor.familyId === subject.familyId;
  return family ? notYours() : notFound();
}
