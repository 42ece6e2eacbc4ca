/**
 * The link of an invitation to a family. Its code is derived from the id and the installation's key, so that the person
 * who invites can copy the link too, and the database never holds it.
 */
import { timingSafeEqual } from 'node:crypto';
import { accountMail } from './account-mail.ts';
import { familyInviteCode, purposeOfInvite } from './family-invite-code.ts';
import { take as takeFromQuota } from './email-quota.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const DAY = 86_400_000;
export const INVITE_TTL_MS = 14 * DAY;

/** Returns the id of the invite that a code is for; null if the code is not one of ours. */
export function readFamilyInviteCode(box: SecretBox, providerId: number, code: string): number | null {
  const [, id, mark] = /^([1-9]\d{0,14})\.([0-9a-f]{64})$/.exec(code) ?? [];
  if (id === undefined) return null;
  const given = Buffer.from(mark, 'hex');
  const known = box.fingerprints(purposeOfInvite(providerId), id);
  return known.some((one) => timingSafeEqual(one, given)) ? Number(id) : null;
}

/** Returns the path of the page on which the person joins. */
export const familyInvitePath = (box: Pick<SecretBox, 'fingerprint'>, providerId: number, id: number): string =>
  `/account/${providerId}/profile/family?invite=${familyInviteCode(box, providerId, id)}`;

/**
 * Sends the invitation after this work, as one email of the monthly quota if there is one.
 * @throws Problem `quota_exceeded`
 */
export async function inviteToFamily(
  work: Work,
  of: { readonly inviter: number; readonly invite: number; readonly email: string },
): Promise<void> {
  if (work.installation.messages.emailQuota !== null) await takeFromQuota(work, work.now, 1);
  const { task, payload } = accountMail({ kind: 'family_invite', ...of }, work);
  work.enqueue({ task, payload });
}
