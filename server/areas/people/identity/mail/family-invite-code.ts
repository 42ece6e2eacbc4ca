import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

export const purposeOfInvite = (providerId: number): string => `family_invite:${providerId}`;

/** Returns the secret code of an invite: `7.` and a keyed hash. */
export const familyInviteCode = (box: Pick<SecretBox, 'fingerprint'>, providerId: number, id: number): string =>
  `${id}.${box.fingerprint(purposeOfInvite(providerId), String(id)).toString('hex')}`;
