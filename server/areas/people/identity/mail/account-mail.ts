/**
 * Emails of accounts, each sent by a job. The job creates the secret of the link when it sends the email: neither the
 * queue nor the database ever holds it, and a request takes the same time for every address.
 */
import { accountMailFeed } from '../feed.ts';
import { bringWithin } from '../elsewhere.ts';
import { emailKey } from '../rules/email-key.ts';
import { familyInviteCode } from './family-invite-code.ts';
import { findAccount, readAccount, type Account } from '../accounts/account.ts';
import { instant, json, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { makeCode } from '../accounts/sign-up-code.ts';
import { isMailAddress } from '../../../../kernel/base/mail/address.ts';
import { issueTicket, type NewTicket, type TicketKind } from '../tokens/tickets.ts';
import { readerOf } from '../../../../kernel/base/languages/languages.ts';
import { take as takeFromQuota } from './email-quota.ts';
import { mailReaders, type MailReader } from './mail-readers.ts';
import { readProfile } from '../accounts/claim.ts';
import { speakerAt, speakerFor } from './speaker.ts';
import { accountMailParts, type WriteTexts } from './mail-text.ts';
import type { MailKey } from './messages.ts';
import { readLetterhead } from '../../../platform/providers/index.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Whence } from '../door.ts';
import type { JobRequest, Work } from '../../../../kernel/work/unit/work.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** `returnTo`: path of the page that the person came from; the email leads back to it. */
type AccountMail =
  /** `code`: that of `awaitCode`, if somebody waits to enter it */
  | { readonly kind: 'confirm_email'; readonly user: number; readonly returnTo?: string; readonly code?: string }
  | {
      readonly kind:
        | 'password_changed'
        | 'second_factor_on'
        | 'second_factor_off'
        | 'second_factor_lost'
        | 'passkey_added'
        | 'passkey_removed';
      readonly user: number;
    }
  | {
      readonly kind: 'reset_password' | 'account_exists' | 'log_in_link';
      readonly email: string;
      readonly returnTo?: string;
    }
  /** `code`: of `awaitCode`. The address may have no account. */
  | { readonly kind: 'log_in_code'; readonly email: string; readonly code: string }
  /** requested without a business: the job chooses one that knows the person */
  | {
      readonly kind: 'reset_password_anywhere';
      readonly email: string;
      readonly returnTo?: string;
      readonly locale?: string;
    }
  /** `email`: the new address */
  | { readonly kind: 'change_email' | 'email_change_asked'; readonly user: number; readonly email: string }
  /** `email`: of the person who is invited, who may be no customer */
  | {
      readonly kind: 'family_invite';
      readonly inviter: number;
      readonly invite: number;
      readonly email: string;
    }
  | { readonly kind: 'invitation'; readonly staff: number }
  | { readonly kind: 'invitation'; readonly customer: number };

interface MailRequest extends JobRequest {
  readonly providerId: number;
}

const TASK = 'send_account_mail';
/** Number of links of a kind that one account receives per hour: nobody who knows the address can flood its mailbox. */
const LINKS_AN_HOUR = 5;
const HOUR = 3_600_000;
const LOCK = 771_005;

/** The business on whose behalf an email is sent, and the language of the page on which it was asked for. */
export interface Sender {
  readonly providerId: number;
  /** for example `fr` or `fr-CA`; without it, the email is in the language in which the person reads the business */
  readonly locale?: string;
}

export const accountMail = (mail: AccountMail, { providerId, locale }: Sender): MailRequest => ({
  task: TASK,
  payload: { ...mail, ...(locale !== undefined && { locale }) },
  providerId,
});

/**
 * Returns the job of an invitation for a customer or staff member, to be enqueued where the record is created.
 * Requested twice in a row, it is sent once. An import enqueues thousands of them, so they have the lowest priority.
 */
export const invitationMail = (to: { customer: number } | { staff: number }): JobRequest => ({
  task: TASK,
  payload: { kind: 'invitation', ...to },
  key: `invitation:${Object.entries(to).flat().join(':')}`,
  urgency: 'last',
});

/**
 * Sends the invitation after this work, as one email of the monthly quota if there is one: a business that can add
 * anybody must not be able to email everybody.
 * @throws Problem `quota_exceeded`
 */
export async function invite(work: Work, to: { customer: number } | { staff: number }): Promise<void> {
  if (work.installation.messages.emailQuota !== null) await takeFromQuota(work, work.now, 1);
  work.enqueue(invitationMail(to));
}

/**
 * Enqueues it in the transaction of the change, ahead of jobs that nobody waits for, as `work.enqueue` does for callers
 * with a work.
 */
export async function enqueueMail(tx: Transaction, { task, payload, providerId }: MailRequest): Promise<void> {
  await tx.run(
    sql`
      SELECT enqueue_job(${task}, ${json({ ...payload, provider_id: providerId })}, ${null}, now(),
        ${payload.kind === 'invitation' ? 'last' : 'first'})`,
  );
}

/** Sends an email to the owner of the account, on behalf of the business where they are, or of one that they know. */
export async function mailTo(
  tx: Transaction,
  mail: AccountMail & { readonly user: number },
  whence: Whence,
): Promise<void> {
  const speaker = await speakerAt(tx, mail.user, whence);
  if (speaker !== null) await enqueueMail(tx, accountMail(mail, { providerId: speaker, locale: whence.locale }));
}

/** Paths of links, below the pages of the business. */
const PAGES = {
  confirm_email: 'confirm',
  change_email: 'confirm',
  stop_email_change: 'confirm',
  reset_password: 'reset-password',
  log_in_link: 'log-in/open',
  invitation: 'invitation',
} as const;

async function link(
  work: Work,
  of: Omit<NewTicket, 'providerId' | 'kind'> & { kind: keyof typeof PAGES },
  returnTo?: string,
): Promise<string> {
  const { secret } = await issueTicket(work.tx, { ...of, providerId: work.providerId }, work.realNow);
  return `${page(work, PAGES[of.kind])}?${new URLSearchParams({ ticket: secret, ...back(returnTo) })}`;
}

const back = (returnTo: string | undefined): Record<string, string> =>
  returnTo === undefined ? {} : { return_to: returnTo };

function logInPage(work: Work, returnTo?: string): string {
  const query = new URLSearchParams(back(returnTo)).toString();
  return page(work, 'log-in') + (query && `?${query}`);
}

const page = (work: Work, name: string): string => `${work.installation.baseUrl}/account/${work.providerId}/${name}`;

async function tooMany({ tx, realNow: now }: Work, userId: number, kind: TicketKind): Promise<boolean> {
  // One at a time: otherwise, concurrent jobs would see each other's links too late. The account's row is not locked,
  // because logging in would wait for it.
  await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${`${kind}:${userId}`}))`);
  const row = await tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM account_ticket
      WHERE user_id = ${userId} AND kind = ${kind} AND created_at > ${instant(now - HOUR)}`,
  );
  return row!.n >= LINKS_AN_HOUR;
}

/** An email to an address, to be written in the language of its reader. */
interface Letter {
  readonly to: string;
  readonly write: WriteTexts;
}

/**
 * Sends an email; returns false if the address is invalid, as one in a business's record may be: retrying would not
 * help. `locale`: the language of the reader; null: that of the business.
 */
async function send(work: Work, { to, write }: Letter, locale: string | null): Promise<boolean> {
  if (!isMailAddress(to)) return false;
  const head = await readLetterhead(work);
  const reader = readerOf(locale ?? undefined, null, head.reader);
  await work.installation.mailer.send(work.tx, {
    providerId: work.providerId,
    fromName: head.business,
    to,
    ...accountMailParts({ ...head, reader }, write, { linksTo: `${work.installation.baseUrl}/` }),
  });
  return true;
}

/** Returns the customer whom an email is for; null: it is for staff, or for somebody whom the business doesn't know. */
async function readingCustomer(work: Work, mail: AccountMail): Promise<MailReader | null> {
  if ('staff' in mail || mail.kind === 'reset_password_anywhere' || mail.kind === 'family_invite') return null;
  const { find } = mailReaders.filled.find(({ name }) => name === 'customer')!;
  if ('customer' in mail) return find(work, { id: mail.customer });
  const user = 'user' in mail ? mail.user : ((await findAccount(work.tx, emailKey(mail.email)))?.id ?? null);
  return user === null ? null : find(work, { user });
}

/** Returns the account of an address, in whichever cell it is. While a cell is unreachable, the job is retried. */
async function accountOf({ tx, installation, realNow }: Work, email: string): Promise<Account | null> {
  const key = emailKey(email);
  const found = await findAccount(tx, key);
  if (found || installation.cells === null) return found;
  await bringWithin(tx, installation, { email: key }, realNow);
  return findAccount(tx, key);
}

/**
 * Returns the name for the greeting; none while the address is unconfirmed, because somebody else may have entered
 * both.
 */
const greeted = ({ emailConfirmedAt, firstName }: Account): string => (emailConfirmedAt === null ? '' : firstName);

const enabled = (account: Account | null): Account | null => (account?.disabledAt === null ? account : null);

/** Writes each kind of email; null: without an account, for example, nothing is sent. */
const LETTERS: {
  readonly [K in AccountMail['kind']]: (work: Work, mail: Extract<AccountMail, { kind: K }>) => Promise<Letter | null>;
} = {
  async confirm_email(work, { user, returnTo, code: id }) {
    const account = enabled(await readAccount(work.tx, user));
    if (!account || account.emailConfirmedAt !== null || (await tooMany(work, user, 'confirm_email'))) return null;
    const url = await link(work, { kind: 'confirm_email', userId: user, email: account.email }, returnTo);
    const code = id === undefined ? null : await makeCode(work.tx, work.installation.box, id, work.realNow);
    return {
      to: account.email,
      write: (say, business) => ({
        subject: say('confirm_email.subject', { business }),
        hello: greeted(account),
        lines: [
          say('confirm_email.text', { business }),
          ...(code === null ? [] : [say('confirm_email.code', { code }), say('confirm_email.code_secret')]),
        ],
        button: { label: say('confirm_email.button'), url },
        ending: say('confirm_email.ending'),
      }),
    };
  },
  async reset_password(work, { email, returnTo }) {
    const account = enabled(await accountOf(work, email));
    if (!account || (await tooMany(work, account.id, 'reset_password'))) return null;
    const url = await link(work, { kind: 'reset_password', userId: account.id, email: account.email }, returnTo);
    return {
      to: account.email,
      write: (say, business) => ({
        subject: say('reset_password.subject', { business }),
        hello: greeted(account),
        lines: [say('reset_password.text', { business })],
        button: { label: say('reset_password.button'), url },
        ending: say('reset_password.ending'),
      }),
    };
  },
  async reset_password_anywhere(work, { email, returnTo, locale }) {
    const account = enabled(await accountOf(work, email));
    if (!account) return null;
    const speaker = (await speakerFor(work.tx, account.id)) ?? work.providerId;
    await enqueueMail(
      work.tx,
      accountMail({ kind: 'reset_password', email, returnTo }, { providerId: speaker, locale }),
    );
    return null;
  },
  async log_in_link(work, { email, returnTo }) {
    const account = enabled(await accountOf(work, email));
    if (!account) return null;
    // It is not known yet who chose its password: a link alone lets nobody in.
    if (account.emailConfirmedAt === null)
      return LETTERS.confirm_email(work, { kind: 'confirm_email', user: account.id, returnTo });
    if (await tooMany(work, account.id, 'log_in_link')) return null;
    const url = await link(work, { kind: 'log_in_link', userId: account.id, email: account.email }, returnTo);
    return {
      to: account.email,
      write: (say, business) => ({
        subject: say('log_in_link.subject', { business }),
        hello: greeted(account),
        lines: [say('log_in_link.text', { business })],
        button: { label: say('log_in_link.button'), url },
        ending: say('log_in_link.ending'),
      }),
    };
  },
  async log_in_code(work, { email, code: id }) {
    const account = await accountOf(work, email);
    if (account !== null && enabled(account) === null) return null;
    const code = await makeCode(work.tx, work.installation.box, id, work.realNow);
    if (code === null) return null;
    return {
      to: email,
      write: (say, business) => ({
        subject: say('log_in_code.subject', { code }),
        hello: account === null ? '' : greeted(account),
        lines: [say('log_in_code.text', { business, code }), say('confirm_email.code_secret')],
        ending: say('log_in_code.ending'),
      }),
    };
  },
  async account_exists(work, { email, returnTo }) {
    const account = enabled(await accountOf(work, email));
    if (!account || (await tooMany(work, account.id, 'reset_password'))) return null;
    const url = await link(work, { kind: 'reset_password', userId: account.id, email: account.email }, returnTo);
    return {
      to: account.email,
      write: (say, business) => ({
        subject: say('account_exists.subject', { business }),
        hello: greeted(account),
        lines: [
          `${say('account_exists.text', { business })}\n${logInPage(work, returnTo)}`,
          say('account_exists.forgot'),
        ],
        button: { label: say('reset_password.button'), url },
        ending: say('account_exists.ending'),
      }),
    };
  },
  async change_email(work, { user, email }) {
    const account = enabled(await readAccount(work.tx, user));
    if (!account || (await tooMany(work, user, 'change_email'))) return null;
    const other = await accountOf(work, email);
    if (other && other.id !== user) {
      return {
        to: other.email,
        write: (say, business) => ({
          subject: say('address_taken.subject', { business }),
          hello: '',
          lines: [say('address_taken.text'), `${say('address_taken.log_in')}\n${logInPage(work)}`],
          ending: say('address_taken.ending'),
        }),
      };
    }
    const url = await link(work, { kind: 'change_email', userId: user, email });
    return {
      to: email,
      write: (say, business) => ({
        subject: say('change_email.subject', { business }),
        hello: '',
        lines: [say('change_email.text', { business })],
        button: { label: say('change_email.button'), url },
        ending: say('change_email.ending'),
      }),
    };
  },
  async email_change_asked(work, { user, email }) {
    const account = enabled(await readAccount(work.tx, user));
    if (!account || (await tooMany(work, user, 'stop_email_change'))) return null;
    const url = await link(work, { kind: 'stop_email_change', userId: user, email: account.email });
    return {
      to: account.email,
      write: (say, business) => ({
        subject: say('email_change_asked.subject', { business }),
        hello: greeted(account),
        lines: [say('email_change_asked.text', { email: masked(email) }), say('email_change_asked.if')],
        button: { label: say('email_change_asked.button'), url },
        ending: say('email_change_asked.ending'),
      }),
    };
  },
  password_changed: notice,
  second_factor_on: notice,
  second_factor_off: notice,
  second_factor_lost: notice,
  passkey_added: notice,
  passkey_removed: notice,
  async family_invite(work, { inviter, invite: id, email }) {
    const by = await readProfile(work.tx, work.providerId, 'customer', inviter);
    if (!by || by.gone) return null;
    const name = [by.firstName, by.lastName].filter(Boolean).join(' ');
    const code = familyInviteCode(work.installation.box, work.providerId, id);
    const url = `${page(work, 'profile/family')}?${new URLSearchParams({ invite: code })}`;
    return {
      to: email,
      write: (say, business) => ({
        subject: say('family_invite.subject', { name }),
        hello: '',
        lines: [say('family_invite.text', { name, business })],
        button: { label: say('family_invite.button'), url },
        ending: say('family_invite.ending', { name }),
      }),
    };
  },
  async invitation(work, mail) {
    const kind = 'staff' in mail ? 'staff' : 'customer';
    const id = 'staff' in mail ? mail.staff : mail.customer;
    const profile = await readProfile(work.tx, work.providerId, kind, id);
    if (!profile || profile.gone || profile.claimed || !profile.email) return null;
    const about = kind === 'staff' ? { staffId: id } : { customerId: id };
    // Only the newest invitation works.
    await work.tx.run(
      sql`UPDATE account_ticket SET used_at = ${instant(work.realNow)}
        WHERE kind = 'invitation' AND provider_id = ${work.providerId}
          AND ${raw(`${kind}_id`)} = ${id} AND used_at IS NULL`,
    );
    const url = await link(work, { kind: 'invitation', email: profile.email, ...about });
    const note = profile.note ? [profile.note] : [];
    if (profile.guest)
      return {
        to: profile.email,
        write: (say, business) => ({
          subject: say('guest.subject', { business }),
          hello: '',
          lines: [say('guest.text', { business }), ...note],
          button: { label: say('guest.button'), url },
          ending: say('guest.ending', { business }),
        }),
      };
    const key = kind === 'staff' ? 'staff_invitation' : 'invitation';
    return {
      to: profile.email,
      write: (say, business) => ({
        subject: say(`${key}.subject`, { business }),
        hello: profile.firstName,
        lines: [say(`${key}.text`, { business }), ...note],
        button: { label: say('invitation.button'), url },
        ending: say('invitation.ending', { business }),
      }),
    };
  },
};

type Said = 'password_changed' | 'second_factor_on' | 'second_factor_off' | 'second_factor_lost';

/** Notifies the person that something about the account has changed. */
async function notice(
  work: Work,
  { kind, user }: { readonly kind: Said; readonly user: number },
): Promise<Letter | null> {
  const account = await readAccount(work.tx, user);
  if (!account) return null;
  return {
    to: account.email,
    write: (say, business) => ({
      subject: say(`${kind}.subject` satisfies MailKey, { business }),
      hello: greeted(account),
      lines: [say(`${kind}.text` satisfies MailKey)],
      ending: `${say('not_you')}\n${page(work, 'forgot-password')}`,
    }),
  };
}

/** Masks an address so that people still recognize their own. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}

export const sendAccountMail: Job = {
  task: TASK,
  acrossTenants: 'accounts belong to no business, and their mails are sent in the name of one',
  run: async (work, mail: AccountMail & Pick<Sender, 'locale'>) => {
    const letter = await LETTERS[mail.kind](work, mail as never);
    if (letter === null || mail.kind === 'reset_password_anywhere') return;
    const customer = await readingCustomer(work, mail);
    const sent = await send(work, letter, mail.locale ?? customer?.locale ?? null);
    // For the ledger of what the customer was sent.
    if (sent && customer !== null)
      work.record(accountMailFeed.account_mail_sent, customer.id, { customer: customer.id, mail: mail.kind });
  },
};
