/** The secret that messages of a partner are signed with. It is sealed rather than hashed, because it must be used. */
import { randomBytes } from 'node:crypto';
import { takeId } from '../../../kernel/work/unit/row.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const PREFIX = 'whsec_';
const BYTES = 32;

export const purpose = (providerId: number, partner: number): string => `partner:${providerId}:${partner}`;

/** Returns a new secret, sealed for the partner. Only the response to this request shows it. */
export function newSecret(work: Work, partner: number): string {
  const secret = PREFIX + randomBytes(BYTES).toString('base64');
  work.reveal({ secret });
  return work.installation.box.seal(purpose(work.providerId, partner), secret);
}

/** Returns the signing bytes. @throws NotOpened */
export const openSecret = (box: SecretBox, providerId: number, partner: number, sealed: string): Buffer =>
  Buffer.from(box.open(purpose(providerId, partner), sealed).slice(PREFIX.length), 'base64');

export const newPartnerId = (work: Work): Promise<number> => takeId(work, 'partner');
