/**
 * Invitation links by email, which make a record of the business the person's own: the person who follows one can read
 * the email of its address.
 */
import { aboutPerson } from './passwords/passwords.ts';
import type { Gone, NotTaken } from './accounts/answers.ts';
import { addAccount } from './accounts/sign-up.ts';
import { bringAccount, bringAddress } from './elsewhere.ts';
import { emailKey } from './rules/email-key.ts';
import { findAccount } from './accounts/account.ts';
import { inTurn } from './passwords/prove-password.ts';
import { lockTicket, readTicket, useTicket, type Ticket } from './tokens/tickets.ts';
import { normalPassword } from './rules/password.ts';
import { noteUserEvent } from './accounts/events.ts';
import { readProfile, takeProfile, type ProfileKind } from './accounts/claim.ts';
import { faultOf } from './passwords/password-policy.ts';
import type { AccountDoor, NotNow, Whence } from './door.ts';
import type { Session } from './log-in/sessions.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

interface Invitation {
  readonly ticket: Ticket;
  readonly kind: ProfileKind;
  readonly firstName: string;
  readonly lastName: string;
  /** an account has the invited address: its owner logs in to accept */
  readonly hasAccount: boolean;
}

const KINDS = ['invitation'] as const;

/**
 * Returns the invitation of a ticket; null also if the record was claimed, or got another address, since the email was
 * sent.
 */
async function opened(tx: Transaction, ticket: Ticket | null): Promise<Invitation | null> {
  if (!ticket) return null;
  const kind = ticket.staffId === null ? 'customer' : 'staff';
  const profile = await readProfile(tx, ticket.providerId, kind, (ticket.staffId ?? ticket.customerId)!);
  if (
    !profile ||
    profile.gone ||
    profile.claimed ||
    profile.email === null ||
    emailKey(profile.email) !== emailKey(ticket.email)
  )
    return null;
  const hasAccount = (await findAccount(tx, emailKey(ticket.email))) !== null;
  return { ticket, kind, firstName: profile.firstName, lastName: profile.lastName, hasAccount };
}

/** Opens the link without using it up. Null if it is no longer valid. */
export const readInvitation = async (tx: Transaction, secret: string, now: number): Promise<Invitation | null> =>
  opened(tx, await readTicket(tx, secret, KINDS, now));

/** Opens the link for its page, whichever cell has the account of the invited address. */
export async function openInvitation(door: AccountDoor, secret: string): Promise<Invitation | null> {
  const open = () =>
    door.db.acrossTenants('an invitation is for the person who opens the mail', (tx) =>
      readInvitation(tx, secret, door.now()),
    );
  const invitation = await open();
  if (!invitation || invitation.hasAccount || door.cells === null) return invitation;
  await bringAccount(door, { email: emailKey(invitation.ticket.email) });
  return open();
}

const take = (tx: Transaction, { registry }: AccountDoor, { ticket, kind }: Invitation, userId: number, now: number) =>
  takeProfile(tx, registry, {
    userId,
    providerId: ticket.providerId,
    kind,
    id: (ticket.staffId ?? ticket.customerId)!,
    by: 'invitation',
    now,
  });

/**
 * Claims the record for the person of the session. `not_possible`: they have another one of the kind at this business.
 */
export function acceptInvitation(
  door: AccountDoor,
  given: { ticket: string; session: Session },
  whence: Whence,
): Promise<{ outcome: 'accepted'; kind: ProfileKind } | { outcome: 'not_possible' } | Gone> {
  const now = door.now();
  return door.db.acrossTenants('a person accepts an invitation', async (tx) => {
    const invitation = await opened(tx, await lockTicket(tx, given.ticket, KINDS, now));
    if (!invitation) return { outcome: 'gone' };
    const { userId } = given.session;
    if ((await take(tx, door, invitation, userId, now)) !== null) return { outcome: 'not_possible' };
    await useTicket(tx, given.ticket, KINDS, now);
    await noteUserEvent(tx, userId, 'invitation_accepted', whence, now);
    return { outcome: 'accepted', kind: invitation.kind };
  });
}

/**
 * Creates an account with the invited address, which counts as confirmed because the link came by email, and claims the
 * record.
 */
export async function signUpByInvitation(
  door: AccountDoor,
  given: { ticket: string; password: string; firstName: string; lastName: string },
  whence: Whence,
): Promise<
  { outcome: 'accepted'; userId: number; kind: ProfileKind } | { outcome: 'has_account' } | NotTaken | Gone | NotNow
> {
  const before = await door.db.acrossTenants('an invitation is opened', (tx) =>
    readInvitation(tx, given.ticket, door.now()),
  );
  if (!before) return { outcome: 'gone' };
  if (before.hasAccount) return { outcome: 'has_account' };
  await bringAddress(door, before.ticket.email);
  const fault = await faultOf(
    door,
    given.password,
    await aboutPerson(door, { ...given, email: before.ticket.email }, before.ticket.providerId),
  );
  if (fault) return { outcome: 'password', fault };
  return inTurn(async () => {
    const hash = await door.hasher.hash(normalPassword(given.password));
    const now = door.now();
    return door.changing('a person signs up by an invitation', async (tx) => {
      const invitation = await opened(tx, await lockTicket(tx, given.ticket, KINDS, now));
      if (!invitation) return { outcome: 'gone' } as const;
      const userId = await addAccount(tx, { ...given, email: invitation.ticket.email }, hash, true, now);
      if (userId === null) return { outcome: 'has_account' } as const;
      const refused = await take(tx, door, invitation, userId, now);
      if (refused !== null) throw new Error(`a record that was free a moment ago could not be taken: ${refused}`);
      await useTicket(tx, given.ticket, KINDS, now);
      await noteUserEvent(tx, userId, 'signed_up', whence, now);
      return { outcome: 'accepted', userId, kind: invitation.kind } as const;
    });
  });
}
