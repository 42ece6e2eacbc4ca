/** Accounts of people, for an operator who helps somebody or must lock somebody out. */
import {
  bringAccount,
  disableByOperator,
  emailKey,
  enableByOperator,
  endAccessByOperator,
  findAccount,
  overviewOf,
  removeSecondFactorByOperator,
  sendPasswordLinkByOperator,
  speakerFor,
  accountsElsewhere,
  type Account,
  type AccountOverview,
} from '../areas/people/identity/index.ts';
import { commandTime } from './command-time.ts';
import { headerLine } from '../kernel/base/mail/address.ts';
import { CommandFailure, say, textOption, wholeId, type Command, type Given } from './command.ts';
import { requireProvider } from './provider.ts';
import { table } from './table.ts';
import { amongCells, configured, withDatabase } from './installation.ts';
import type { Database, Transaction } from '../kernel/base/db/database.ts';

type Act<T> = (tx: Transaction, account: Account, now: number) => Promise<T>;

/** Acts on the account with the given email address, in whichever cell it is. */
function withAccount<T>(
  { positionals: [email] }: Given,
  act: Act<T>,
  check: (db: Database) => Promise<unknown> = async () => {},
): Promise<T> {
  return withDatabase(async (db) => {
    await check(db);
    const config = configured();
    const among = config.cells && amongCells(db, config);
    const away = among ? await bringAccount(among, { email: emailKey(email) }) : [];
    const done = await db.acrossTenants(
      'an operator acts on the account of a person, which belongs to no business',
      async (tx) => {
        const account = await findAccount(tx, emailKey(email));
        if (!account && away.length > 0)
          throw new CommandFailure(
            `This cell has no account with the address ${email}, and cell ${away.join(' and cell ')} does not answer. Remedy: try again when it does.`,
          );
        if (!account)
          throw new CommandFailure(
            `There is no account with the address ${email}. Remedy: ask the person which address they log in with; a business may have a different one.`,
          );
        return act(tx, account, commandTime());
      },
    );
    await among?.cells?.at(accountsElsewhere).sendChanges(among);
    return done;
  });
}

/** Returns a command that acts on one account and prints the result. */
const accountCommand = (
  of: Pick<Command, 'name' | 'summary' | 'details' | 'options'>,
  act: (given: Given) => Promise<string>,
): Command => ({
  ...of,
  positionals: ['EMAIL'],
  async run(given) {
    say(await act(given));
    return 0;
  },
});

const at = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
const since = (ms: number | null, otherwise: string): string => (ms === null ? otherwise : `since ${at(ms)}`);

function described(account: Account, { profiles, sessions, lastLogInAt }: AccountOverview): string {
  // A name is user input: printed on one line, it can't move the cursor or set colors.
  const facts: [string, string][] = [
    ['id', String(account.id)],
    ['address', headerLine(account.email, 254)],
    ['name', headerLine(`${account.firstName} ${account.lastName}`, 300) || '-'],
    ['made', at(account.createdAt)],
    ['confirmed', since(account.emailConfirmedAt, 'no')],
    ['disabled', since(account.disabledAt, 'no')],
    ['second factor', account.secondFactor ? 'on' : 'off'],
    ['sessions', String(sessions)],
    ['last log-in', lastLogInAt === null ? 'unknown' : at(lastLogInAt)],
  ];
  const rows = profiles.map((p) => [
    String(p.providerId),
    headerLine(p.provider),
    p.kind,
    String(p.id),
    p.gone ? 'gone' : 'current',
  ]);
  const lines = facts.map(([what, is]) => `${what.padEnd(14)} ${is}`);
  return [
    ...lines,
    '',
    rows.length === 0
      ? 'This person has no profile at any business.'
      : table(['provider', 'business', 'as', 'id', 'state'], rows),
  ].join('\n');
}

export const showAccount = accountCommand(
  { name: 'account show', summary: 'Show an account, without secrets; times are in UTC' },
  (given) => withAccount(given, async (tx, account, now) => described(account, await overviewOf(tx, account, now))),
);

export const disableAccountCommand = accountCommand(
  {
    name: 'account disable',
    summary: 'Disable an account, so that the person can no longer log in',
    details:
      'Its sessions and the tokens of every application end. Logging in is refused like with a wrong password. The profiles stay at every business.',
  },
  (given) =>
    withAccount(given, async (tx, { id, email }, now) => {
      await disableByOperator(tx, id, now);
      return `The account ${email} is disabled.`;
    }),
);

export const enableAccountCommand = accountCommand(
  { name: 'account enable', summary: 'Enable a disabled account, so that the person can log in again' },
  (given) =>
    withAccount(given, async (tx, { id, email, disabledAt }, now) => {
      if (disabledAt === null)
        throw new CommandFailure(`The account ${email} is not disabled. Remedy: see "rollcall account show ${email}".`);
      await enableByOperator(tx, id, now);
      return `The account ${email} is enabled.`;
    }),
);

export const resetSecondFactor = accountCommand(
  {
    name: 'account reset-second-factor',
    summary: 'Remove the second factor of an account if the person lost it',
    details: [
      'Check who is asking by more than an email: afterwards, the password alone is enough to log in. Everybody who is logged in with the account is logged out, and the person gets an email about it.',
      'If a business requires a second factor of its staff, the person has no staff access there until they set one up again.',
    ].join('\n'),
  },
  (given) =>
    withAccount(given, async (tx, { id, email, secondFactor }, now) => {
      if (!secondFactor)
        throw new CommandFailure(
          `The account ${email} has no second factor. Remedy: see "rollcall account show ${email}".`,
        );
      await removeSecondFactorByOperator(tx, id, now);
      return `Removed the second factor of the account ${email}.`;
    }),
);

export const endSessionsCommand = accountCommand(
  {
    name: 'account end-sessions',
    summary: 'Log out the person of an account everywhere',
    details:
      'Ends the sessions of browsers and the tokens of every application. The password still works. If somebody else knows it, have the person set a new one.',
  },
  (given) =>
    withAccount(given, async (tx, { id, email }, now) => {
      await endAccessByOperator(tx, id, now);
      return `The account ${email} is logged out everywhere.`;
    }),
);

export const sendPasswordLink = accountCommand(
  {
    name: 'account send-password-link',
    summary: 'Email the person of an account a link to set a new password',
    details:
      'The link works once, for one hour. At most five are sent per hour. If no mail server is set, see "rollcall mail list".',
    options: {
      provider: {
        type: 'string',
        value: 'ID',
        description: 'the business to send it for; defaults to one where the person has a profile',
      },
    },
  },
  (given) => {
    const named = textOption(given, 'provider');
    const provider = named === undefined ? null : wholeId(named, '--provider');
    const act: Act<string> = async (tx, account, now) => {
      const { id, email, disabledAt } = account;
      if (disabledAt !== null)
        throw new CommandFailure(`The account ${email} is disabled. Remedy: "rollcall account enable ${email}" first.`);
      const speaker = provider ?? (await speakerFor(tx, id));
      if (speaker === null)
        throw new CommandFailure(
          `The person of ${email} has no profile at any business. Remedy: choose with --provider for which business to send the email.`,
        );
      await sendPasswordLinkByOperator(tx, account, speaker, now);
      return `A link to set a new password is on its way to ${email}.`;
    };
    return withAccount(given, act, async (db) => provider !== null && requireProvider(db, provider));
  },
);
