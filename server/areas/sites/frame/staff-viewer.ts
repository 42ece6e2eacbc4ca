/** The viewers with which pages call the interface, and the people for whom they act. */
import { grantOf, resolveViewer } from '../../../kernel/work/access/grant.ts';
import { mayActForFamily } from '../../people/customers/index.ts';
import { profilesOf } from '../../people/applications/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { FRAME } from './messages.ts';
import { writtenWith } from './written.ts';
import type { At, Member } from './desk.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

/** Somebody whom the person who reads the page acts for; the first one is that person. */
export interface Person {
  readonly id: number;
  /** null: the person who reads the page */
  readonly name: string | null;
  readonly participating: boolean;
}

/** The business of a page always exists. */
const isThere = async () => true;

/**
 * Returns the viewer of a person as a customer, as if they came through an application. Somebody without a customer
 * record here is a stranger, who acts for nobody.
 */
export async function loadStaffViewer(
  tx: Transaction,
  visit: At,
  member: Member | null,
): Promise<{ viewer: Viewer; people: readonly Person[] | null }> {
  const { site } = visit;
  if (!member) return { viewer: await resolveViewer(null, site.id, null, isThere), people: null };
  const { id: userId } = member.account;
  const people = await peopleOf(tx, visit, userId);
  const profiles = people ? [{ mode: 'customer', providerId: site.id, customerId: people[0].id } as const] : [];
  const grant = grantOf({ credential: `user:${userId}`, kind: 'person', profiles, userId });
  return { viewer: await resolveViewer(grant, site.id, null, isThere), people };
}

/** Returns the viewer of a customer without a known account: `credential` is what allows somebody to act for them. */
export function actingAs(providerId: number, customerId: number, credential: string): Promise<Viewer> {
  const profiles = [{ mode: 'customer', providerId, customerId } as const];
  return resolveViewer(grantOf({ credential, kind: 'person', profiles }), providerId, null, isThere);
}

/** Somebody whom a signed link identifies, without a log-in: they act for this customer only. */
export interface Bearer {
  readonly customer: number;
  /** what allows them to act, for the audit: `booking_link:7` */
  readonly credential: string;
}

/** Returns the viewer of somebody whom a signed link identifies; a stranger if the customer no longer exists. */
export async function eyesOfBearer(
  tx: Transaction,
  { site }: At,
  { customer, credential }: Bearer,
): Promise<{ viewer: Viewer; people: readonly Person[] | null }> {
  const row = await tx.one<{ child: string | null; participating: boolean }>(
    sql`SELECT CASE WHEN family_role = 'child' THEN nullif(first_name, '') END AS child, participating FROM customer
      WHERE provider_id = ${site.id} AND id = ${customer} AND deleted_at IS NULL`,
  );
  if (!row) return { viewer: await resolveViewer(null, site.id, null, isThere), people: null };
  const { child: name, participating } = row;
  return { viewer: await actingAs(site.id, customer, credential), people: [{ id: customer, name, participating }] };
}

/** Returns the viewer of a person who works at the business; null if they don't, or not with this log-in. */
export async function staffViewer(tx: Transaction, { site }: At, { session, account }: Member): Promise<Viewer | null> {
  if (session.host !== undefined) return null;
  const who = { user_id: account.id, second_factor: session.secondFactor };
  const { profiles } = await profilesOf(tx, who, [site.id], 'provider');
  if (profiles.length === 0) return null;
  const grant = grantOf({ credential: `user:${account.id}`, kind: 'person', profiles, userId: account.id });
  return resolveViewer(grant, site.id, 'provider', isThere);
}

/** Returns the customer of the account, and the family members whom they act for. */
async function peopleOf(tx: Transaction, visit: At, userId: number): Promise<readonly Person[] | null> {
  const providerId = visit.site.id;
  const rows = await tx.rows<{
    id: number;
    first_name: string | null;
    participating: boolean;
    familyId: number | null;
    familyRole: 'manager' | 'child' | null;
  }>(sql`
    SELECT c.id, c.first_name, c.participating, c.family_id AS "familyId", c.family_role AS "familyRole" FROM customer c
    JOIN customer me ON me.provider_id = c.provider_id AND me.user_id = ${userId} AND me.deleted_at IS NULL
    WHERE c.provider_id = ${providerId} AND c.deleted_at IS NULL AND (c.id = me.id OR c.family_id = me.family_id)
      ORDER BY c.id <> me.id, c.id`);
  const [me, ...family] = rows;
  if (!me) return null;
  return [
    { id: me.id, name: null, participating: me.participating },
    ...family
      .filter((p) => mayActForFamily(me, p) === null)
      .map((p) => ({
        id: p.id,
        name: p.first_name || writtenWith(visit, FRAME).say('child'),
        participating: p.participating,
      })),
  ];
}
