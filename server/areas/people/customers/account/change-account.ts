/** The address and the password of a customer, for applications: see the README. */
import {
  accountMail,
  askToConfirmEmail,
  askToChangeEmailByToken,
  changePasswordByToken,
  doorForCall,
  enqueueMail,
  faultText,
  IDENTITY_PROBLEMS,
  notNow,
  readAccount,
  type AtBusiness,
} from '../../identity/index.ts';
import { answer, one, outside, type Who } from '../../../../kernel/api/endpoint.ts';
import { changeCustomer } from '../writes.ts';
import { done, DONE } from '../../../../kernel/api/resource-changes.ts';
import { id, integer, text, email as mailAddress } from '../../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { inviteAgain, lockNamed } from './whose-account.ts';
import { customer } from '../customer.ts';
import type { CustomerRow } from '../lock.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Staff with `customers`; customers for themselves. */
const who: Who = { provider: ['customers'], customer: true, unregistered: false };

const password = text({ max: 1000, verbatim: true });
const code = text({ max: 40 })
  .nullable()
  .optional()
  .describe('A code of the authenticator app, or a recovery code. Required if the second factor is on.');
const returns = one(customer);

const SHOWN = customer.fields;

/** Properties that are accepted and ignored, for clients that send whole customers. */
const TOLERATED = {
  created_at: SHOWN.created_at.optional(),
  first_name: SHOWN.first_name.optional(),
  last_name: SHOWN.last_name.optional(),
  family: SHOWN.family.optional(),
  family_role: SHOWN.family_role.optional(),
  image: SHOWN.image.optional(),
  lead_source: integer().nullable().optional(),
  participating: SHOWN.participating.optional(),
  provider: id().optional(),
  referral_code: SHOWN.referral_code.optional(),
  visibility: SHOWN.visibility.optional(),
};
const IGNORED = '\n\nThe other properties of a customer change nothing, but can be sent.';

const whenceOf = ({ ip, viewer }: { ip: string; viewer: Work['viewer'] }): AtBusiness => ({
  address: ip,
  agent: '',
  providerId: viewer.providerId,
  application: viewer.applicationName,
});

/** Refuses what a person sent to prove who they are, by the names of the properties. */
function checkProof(
  proof: { outcome: 'accepted' | 'refused' | 'no_code' | 'wrong_code' } | Parameters<typeof notNow>[0],
  name: string,
): void {
  if (proof.outcome === 'wait' || proof.outcome === 'busy') throw notNow(proof);
  if (proof.outcome === 'refused') throw invalid(name, 'The password is wrong.');
  if (proof.outcome === 'no_code') throw invalid('code', 'Enter the code from your authenticator app.');
  if (proof.outcome === 'wrong_code') throw invalid('code', 'The code is wrong. Enter the current one.');
}

/** Returns the account of a customer who changes their own. @throws Problem conflict if they have none */
function ownAccount({ user_id: userId }: CustomerRow): number {
  if (userId === null)
    throw new Problem('conflict', {
      staff: 'This customer has no account.',
      customer: 'There is no account for this profile. Sign up first.',
    });
  return userId;
}

const hasAccount = () =>
  new Problem('conflict', {
    staff:
      'The customer has an account, so only they can change its email address. Ask them to do it in their account.',
    customer: 'Change the email address in your account.',
  });

/** Changes the address of a record that nobody has claimed. */
async function changeAddress(work: Work, row: CustomerRow, email: string): Promise<void> {
  if (row.email === email) return;
  work.touch('customer', row.id, row as Record<string, any>);
  await changeCustomer(work, row.id, { email });
}

const changeEmail = outside({
  path: '/customers/{id}/change_email',
  summary: 'Change the email address of a customer',
  description:
    'Customers send their password, and a code if their second factor is on. The new address gets a link that makes the ' +
    'change, and the old one a notice with a link that stops or reverts it for a week. The change ends all sessions. ' +
    'The address of their customer records changes along with it.\n\n' +
    'Staff change the address of a customer without an account, immediately. Nobody else changes that of an account.' +
    IGNORED,
  dryRun: 'It sends two emails, and each password that you send counts as an attempt.',
  who,
  body: { ...TOLERATED, email: mailAddress(), password: password.optional(), code },
  problems: ['already_exists', 'conflict'],
  returns,
  run: async (call) => {
    const { body, viewer, transact, show } = call;
    const { userId, shown } = await transact(async (work) => {
      const named = await lockNamed(work, call.params.id);
      if (named.user_id === null) await changeAddress(work, named, body.email);
      else if (viewer.mode === 'provider') throw hasAccount();
      return { userId: named.user_id, shown: await show(work, named.id) };
    });
    if (userId === null) return shown;
    if (body.password === undefined) throw invalid('password', 'Enter your password.');
    const { email, password: sent, code: digits } = body;
    const given = { email, userId, password: sent, code: digits };
    checkProof(await askToChangeEmailByToken(doorForCall(call), given, whenceOf(call)), 'password');
    return shown;
  },
});

const changePassword = outside({
  path: '/customers/{id}/change_password',
  summary: 'Change the password of a customer',
  description:
    'Customers send the current password and the new one, and a code if their second factor is on. All sessions and ' +
    'tokens end, the one of this call included: log in again.\n\n' +
    'Without a password, the customer gets a link to choose another one. Staff can do only that.' +
    IGNORED,
  dryRun: 'Each password that you send counts as an attempt.',
  who,
  body: {
    ...TOLERATED,
    email: SHOWN.email.optional(),
    password: password.optional(),
    new_password: password.optional(),
    code,
  },
  problems: ['conflict'],
  returns,
  run: async (call) => {
    const { body, db, viewer, transact, show } = call;
    const { userId, shown } = await transact(async (work) => {
      const named = await lockNamed(work, call.params.id);
      return { userId: ownAccount(named), shown: await show(work, named.id) };
    });
    const { password: current, new_password: next, code: digits } = body;
    if (current === undefined && next === undefined) {
      await db.acrossTenants('a person gets a link to choose another password', async (tx) => {
        const { email } = (await readAccount(tx, userId))!;
        await enqueueMail(tx, accountMail({ kind: 'reset_password', email }, viewer));
      });
      return shown;
    }
    if (viewer.mode === 'provider')
      throw invalid('new_password', 'Staff can’t choose a password. Leave it out: the customer gets a link.');
    if (current === undefined) throw invalid('password', 'Enter your current password.');
    if (next === undefined) throw invalid('new_password', 'Enter the new password.');
    const changed = await changePasswordByToken(
      doorForCall(call),
      { userId, password: current, next, code: digits },
      whenceOf(call),
    );
    if (changed.outcome === 'password') throw invalid('new_password', faultText(changed.fault));
    checkProof(changed, 'password');
    return shown;
  },
});

const resendConfirmation = outside({
  path: '/customers/{id}/resend_email_confirmation',
  summary: 'Send the confirmation of an email address again',
  description:
    'An account whose address is not confirmed gets another link, at most five in an hour. A customer without an account ' +
    'is invited again, which counts against the email quota of the business. Otherwise, nothing is sent.',
  dryRun: 'It sends an email.',
  who,
  problems: ['conflict', IDENTITY_PROBLEMS.quota_exceeded],
  returns: answer(done),
  run: async (call) => {
    const { db, viewer, transact } = call;
    const userId = await transact(async (work) => {
      const named = await lockNamed(work, call.params.id);
      if (viewer.mode !== 'provider') return ownAccount(named);
      if (named.user_id === null) await inviteAgain(work, named);
      return named.user_id;
    });
    if (userId !== null)
      await db.acrossTenants('a person gets the link to confirm their address again', async (tx) => {
        const account = await readAccount(tx, userId);
        if (account?.emailConfirmedAt === null) await askToConfirmEmail(tx, userId, whenceOf(call));
      });
    return DONE;
  },
});

export const changeAccount = [changeEmail, changePassword, resendConfirmation];
