/**
 * The owner of a business: a staff member with every permission, and a link to set the password, which the operator
 * passes on.
 */
import { createOwner, lockStaffByEmail } from '../areas/people/staff/index.ts';
import { endInvitations, issueTicket } from '../areas/people/identity/index.ts';
import { canonicalAddress } from '../kernel/base/values/mail-address.ts';
import { isMailAddress } from '../kernel/base/mail/address.ts';
import { ownViewer } from '../kernel/work/access/viewer.ts';
import { registry } from '../app.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { Work, type Tenant } from '../kernel/work/unit/work.ts';
import { UsageError, CommandFailure, textOption, type Given, type Option } from './command.ts';
import type { Config } from '../config.ts';
import type { Transaction } from '../kernel/base/db/database.ts';

interface Owner {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

export const ownerNameOption: Record<string, Option> = {
  'owner-name': { type: 'string', value: 'NAME', description: 'their name, for example "Ada Lovelace"' },
};

/**
 * Reads the owner.
 * @throws UsageError if the email address is invalid
 */
export function ownerOf(email: string, given: Given): Owner {
  if (!isMailAddress(canonicalAddress(email))) throw new UsageError(`"${email}" is not an email address.`);
  const name = (textOption(given, 'owner-name') ?? '').trim();
  const [firstName, ...others] = name === '' ? [email.slice(0, email.lastIndexOf('@')), 'Owner'] : name.split(/\s+/);
  if (others.length === 0) throw new UsageError('--owner-name must be a first and a last name.');
  return {
    email: canonicalAddress(email),
    firstName: firstName.slice(0, 128),
    lastName: others.join(' ').slice(0, 128),
  };
}

/**
 * Makes the person a staff member with every permission if they are none yet, and resolves to the secret of a new link;
 * only the newest one works. The transaction is across tenants.
 * @throws CommandFailure if the person already has a log-in at the business
 */
export async function inviteOwner(tx: Transaction, tenant: Tenant, owner: Owner, now: number): Promise<string> {
  const { providerId } = tenant;
  await tx.run(sql`SELECT set_config('rollcall.provider_id', ${String(providerId)}, true)`);
  const known = await lockStaffByEmail(tx, providerId, owner.email);
  if (known && (known.user_id !== null || !known.admin)) {
    throw new CommandFailure(
      known.user_id === null
        ? `${owner.email} is a staff member without the permission super_admin. Remedy: choose somebody else, or have an owner change their permissions.`
        : `${owner.email} can already log in. Remedy: send them a link with "rollcall account send-password-link ${owner.email}".`,
    );
  }
  const staffId = known?.id ?? (await makeOwner(tx, tenant, owner, now));
  await endInvitations(tx, providerId, staffId, now);
  return (await issueTicket(tx, { kind: 'invitation', providerId, email: owner.email, staffId }, now)).secret;
}

async function makeOwner(tx: Transaction, tenant: Tenant, owner: Owner, now: number): Promise<number> {
  const viewer = ownViewer(tenant.providerId, 'operator');
  const work = new Work({ tx, registry: registry(), tenant, viewer, now, requestId: 'command' });
  const id = await createOwner(work, owner);
  for (const record of work.takeRecords()) await tx.run(record);
  return id;
}

/** Returns the printed text: the link works once. */
export const linkFor = ({ publicUrl, port }: Config, { providerId }: Tenant, email: string, secret: string): string =>
  [
    `${email} can set a password here within 14 days. The link works once:`,
    `${publicUrl ?? `http://localhost:${port === 0 ? 8080 : port}`}/account/${providerId}/invitation?ticket=${secret}`,
    ...(publicUrl === undefined
      ? ['PUBLIC_URL is not set: put the public address of the service in front of /account.']
      : []),
  ].join('\n');
