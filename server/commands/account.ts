/** The accounts of people, for an operator who is asked for help or must keep somebody out. */
import {
  disableByOperator, emailKey, enableByOperator, endAccessByOperator, findAccount, overviewOf, removeSecondFactorByOperator, sendPasswordLinkByOperator, speakerFor,
  type Account, type AccountOverview,
} from '../areas/identity/index.ts';
import { headerLine } from '../kernel/mail/address.ts';
import { CommandFailure, say, textOption, wholeId, type Command, type Given } from './command.ts';
import { requireProvider } from './provider.ts';
import { table } from './table.ts';
import { withDatabase } from './installation.ts';
import type { Database, Transaction } from '../kernel/db/database.ts';

type Act<T> = (tx: Transaction, account: Account, now: number) => Promise<T>;

/** Acts on the account of the address that the command names. */
function withAccount<T>({ positionals: [email] }: Given, act: Act<T>, check: (db: Database) => Promise<unknown> = async () => {}): Promise<T> {
  return withDatabase(async (db) => {
    await check(db);
    return db.acrossTenants('an operator acts on the account of a person, which belongs to no business', async (tx) => {
      const account = await findAccount(tx, emailKey(email));
      if (!account) throw new CommandFailure(`There is no account with the address ${email}. Remedy: ask the person for the address that it logs in with; a business may keep another one.`);
      return act(tx, account, Date.now());
    });
  });
}

/** A command that acts on one account and says what it did. */
const accountCommand = (of: Pick<Command, 'name' | 'summary' | 'details' | 'options'>, act: (given: Given) => Promise<string>): Command => ({
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
  // A name is what its person wrote: in one line, it moves no cursor and colours nothing.
  const facts: [string, string][] = [
    ['id', String(account.id)],
    ['address', headerLine(account.email, 254)],
    ['name', headerLine(`${account.firstName} ${account.lastName}`, 300) || '-'],
    ['made', at(account.createdAt)],
    ['confirmed', since(account.emailConfirmedAt, 'no')],
    ['disabled', since(account.disabledAt, 'no')],
    ['second factor', account.secondFactor ? 'on' : 'off'],
    ['sessions', String(sessions)],
    ['last log-in', lastLogInAt === null ? 'none that is known' : at(lastLogInAt)],
  ];
  const rows = profiles.map((p) => [String(p.providerId), headerLine(p.provider), p.kind, String(p.id), p.gone ? 'gone' : 'current']);
  const lines = facts.map(([what, is]) => `${what.padEnd(14)} ${is}`);
  return [...lines, '', rows.length === 0 ? 'No business has a profile of this person.' : table(['provider', 'business', 'as', 'id', 'state'], rows)].join('\n');
}

export const showAccount = accountCommand({ name: 'account show', summary: 'Show what there is of an account, no secrets; times are in UTC' }, (given) =>
  withAccount(given, async (tx, account, now) => described(account, await overviewOf(tx, account, now))),
);

export const disableAccountCommand = accountCommand(
  {
    name: 'account disable',
    summary: 'Keep the person of an account out, from now on',
    details: 'Its sessions end, and with them the tokens of every application. Logging in is refused like a wrong password. The profiles stay, at every business.',
  },
  (given) =>
    withAccount(given, async (tx, { id, email }, now) => {
      await disableByOperator(tx, id, now);
      return `The account ${email} is disabled.`;
    }),
);

export const enableAccountCommand = accountCommand({ name: 'account enable', summary: 'Let the person of a disabled account log in again' }, (given) =>
  withAccount(given, async (tx, { id, email, disabledAt }, now) => {
    if (disabledAt === null) throw new CommandFailure(`The account ${email} is not disabled. Remedy: see "rollcall account show ${email}".`);
    await enableByOperator(tx, id, now);
    return `The account ${email} is enabled.`;
  }),
);

export const resetSecondFactor = accountCommand(
  {
    name: 'account reset-second-factor',
    summary: 'Take the second factor off an account whose person lost it',
    details: [
      'Make sure who asks, by more than a mail: the password alone lets in afterwards. Everybody who is logged in with the account is logged out, and the person is told by mail.',
      'Where a business demands a second factor of its staff, the person is no staff there until it set one up again.',
    ].join('\n'),
  },
  (given) =>
    withAccount(given, async (tx, { id, email, secondFactor }, now) => {
      if (!secondFactor) throw new CommandFailure(`The account ${email} has no second factor. Remedy: see "rollcall account show ${email}".`);
      await removeSecondFactorByOperator(tx, id, now);
      return `The account ${email} has no second factor any more.`;
    }),
);

export const endSessionsCommand = accountCommand(
  {
    name: 'account end-sessions',
    summary: 'Log the person of an account out everywhere',
    details: 'Ends the sessions of browsers and the tokens of every application. The password still works: where somebody else knows it, let the person set a new one.',
  },
  (given) =>
    withAccount(given, async (tx, { id, email }, now) => {
      await endAccessByOperator(tx, id, now);
      return `Nobody is logged in with the account ${email} any more.`;
    }),
);

export const sendPasswordLink = accountCommand(
  {
    name: 'account send-password-link',
    summary: 'Mail the person of an account a link to set a new password',
    details: 'The link works once, for one hour; no more than five an hour are sent. Where no mail server is set, see "rollcall mail list".',
    options: { provider: { type: 'string', value: 'ID', description: 'the business in whose name it is sent; else one that has a profile of the person' } },
  },
  (given) => {
    const named = textOption(given, 'provider');
    const provider = named === undefined ? null : wholeId(named, '--provider');
    const act: Act<string> = async (tx, account, now) => {
      const { id, email, disabledAt } = account;
      if (disabledAt !== null) throw new CommandFailure(`The account ${email} is disabled. Remedy: "rollcall account enable ${email}" first.`);
      const speaker = provider ?? (await speakerFor(tx, id));
      if (speaker === null) throw new CommandFailure(`No business knows the person of ${email}. Remedy: say with --provider in whose name to write.`);
      await sendPasswordLinkByOperator(tx, account, speaker, now);
      return `A link to set a new password is on its way to ${email}.`;
    };
    return withAccount(given, act, async (db) => provider !== null && requireProvider(db, provider));
  },
);
