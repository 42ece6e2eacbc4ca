/** Facts about an account that its first page begins with: whose it is, and what has to be done first. */
import { dashboardOf, type At, type Desk, type Member } from '../frame/index.ts';
import { profilesHere } from '../log-in/index.ts';
import { readOwed } from '../wallet/index.ts';
import { secondFactorRequired } from '../../people/identity/index.ts';
import type { AboutView } from './views/about.ts';

/** Reads what the first page says above everything else. */
export async function readAbout(desk: Desk, visit: At, member: Member): Promise<AboutView> {
  const { account, session } = member;
  const { profiles, wanted } = await desk.door.db.acrossTenants('an account belongs to no business', async (tx) => ({
    profiles: await profilesHere(tx, account.id, visit.site.id),
    wanted: !session.secondFactor && (await secondFactorRequired(tx, account.id, visit.site.id)),
  }));
  const owed = profiles.customer ? await readOwed(desk, { visit, member }) : [];
  return {
    ...profiles,
    email: account.email,
    confirmed: account.emailConfirmedAt !== null,
    dashboard: profiles.staff && !wanted ? dashboardOf(desk.installation, visit.site) : null,
    owed: owed.reduce((all, { amount }) => all + amount, 0),
    secondFactorWanted: wanted,
  };
}
