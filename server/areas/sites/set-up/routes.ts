/**
 * Setup of a new installation: its first business and the owner, by somebody who has the code that the service printed.
 */
import {
  addressKey,
  emailKey,
  findAccount,
  logIn,
  ON_ADDRESS,
  readyVouched,
  takeAttempt,
} from '../../people/identity/index.ts';
import { businessFields, codeFields, detailFields, ownerFields } from './fields.ts';
import { businessPage, codePage, detailsPage, ownerPage, PATHS } from './views.ts';
import { COUNTRIES, currencyIn, mainZoneIn } from './countries.ts';
import { createFirst, type First } from './create.ts';
import { EMPTY, readForm, withError, type Draft, type Values } from '../../../kernel/pages/form.ts';
import {
  enter,
  pageAfterLogIn,
  passwordWrong,
  waitFor,
  whence,
  writtenFor,
  writtenWith,
  type Desk,
  type Entrance,
} from '../frame/index.ts';
import { hasBusiness } from '../../platform/providers/index.ts';
import { isSetUpCode } from './code.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer, type Visit } from '../../../kernel/pages/visit.ts';
import { SET_UP } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

type At = Visit<Entrance>;
type Owner = Values<ReturnType<typeof ownerFields>>;

export function setUpRoutes(desk: Desk): PageRoute<Entrance>[] {
  /**
   * Returns the route of a step. Its address contains the answers of the steps before, and it is shown after a
   * redirect: so the browser's back button sends nothing again and loses nothing. Every step requires the code.
   */
  const step = (
    path: string,
    shown: (visit: At) => PageAnswer,
    sent: (visit: At) => PageAnswer | Promise<PageAnswer>,
  ): PageRoute<Entrance> => ({
    path,
    charged: 'credentials',
    get: async (visit) =>
      visit.query.has('code')
        ? ((await unlessOpen(desk, visit, visit.query.get('code')!)) ?? shown(visit))
        : seeOther(PATHS.code),
    post: async (visit) => (await unlessOpen(desk, visit, visit.sent.get('code') ?? '')) ?? sent(visit),
  });
  return [
    {
      path: PATHS.code,
      charged: 'credentials',
      get: async (visit) => {
        const code = visit.query.get('code');
        if (code === null) {
          await onlyFresh(desk);
          return codePage(visit, EMPTY);
        }
        return (await unlessOpen(desk, visit, code)) ?? businessShown(visit);
      },
      post: async (visit) => {
        const { values, draft } = readForm(codeFields(visit), visit.sent, writtenFor(visit).say);
        await onlyFresh(desk);
        if (!values) return codePage(visit, draft);
        const { code } = values;
        return (await unlessOpen(desk, visit, code)) ?? seeOther(`${PATHS.code}?${new URLSearchParams({ code })}`);
      },
    },
    step(PATHS.business, businessShown, businessSent),
    step(PATHS.details, detailsShown, detailsSent),
    step(PATHS.owner, ownerShown, (visit) => ownerSent(desk, visit)),
  ];
}

/** @throws Problem 404 once there is a business */
async function onlyFresh({ door }: Desk): Promise<void> {
  if (await door.db.acrossTenants('a set-up is for an installation without any business', hasBusiness))
    throw notFound();
}

/** Returns null if the code is right and there is no business yet. Wrong codes are counted and limited. */
async function unlessOpen(desk: Desk, visit: At, code: string): Promise<PageAnswer | null> {
  await onlyFresh(desk);
  const { box, db } = desk.door;
  if (isSetUpCode(box, code)) return null;
  const blocked = await db.acrossTenants('somebody has a wrong code', (tx) =>
    takeAttempt(tx, addressKey(box, 'set_up', visit.ip), ON_ADDRESS, visit.now),
  );
  if (blocked) return codePage(visit, withError(EMPTY, '', waitFor(blocked, writtenFor(visit).say), 429));
  return codePage(visit, withError(EMPTY, 'code', writtenWith(visit, SET_UP).say('set_up.code.wrong')));
}

/** Returns the country of the browser's locale; empty if there is none. */
function countryOf(visit: At): string {
  const { region } = new Intl.Locale(writtenWith(visit, SET_UP).reader.locale);
  return region !== undefined && COUNTRIES.includes(region) ? region : '';
}

/** Returns the address of a step with the answers of the steps before. */
const addressOf = (path: string, kept: Draft['kept'], names: readonly string[]): string =>
  `${path}?${new URLSearchParams(names.map((name) => [name, kept[name] ?? '']))}`;

const OF_BUSINESS = ['code', 'name', 'country'];
const OF_DETAILS = [...OF_BUSINESS, 'timezone', 'currency', 'mode'];

function businessShown(visit: At): PageAnswer {
  const { query } = visit;
  const kept = {
    code: query.get('code')!,
    name: query.get('name') ?? '',
    country: query.get('country') || countryOf(visit),
  };
  return businessPage(visit, { kept, errors: {} });
}

function businessSent(visit: At): PageAnswer {
  const { values, draft } = readForm(businessFields(visit), visit.sent, writtenFor(visit).say);
  return values ? seeOther(addressOf(PATHS.details, draft.kept, OF_BUSINESS)) : businessPage(visit, draft);
}

function detailsShown(visit: At): PageAnswer {
  const { query } = visit;
  const before = firstAgain(visit, query);
  if (before) return before;
  const country = query.get('country')!;
  const guessed = { timezone: mainZoneIn(country), currency: currencyIn(country) ?? '', mode: 'test' };
  const kept = Object.fromEntries(OF_DETAILS.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])));
  return detailsPage(visit, { kept: { ...guessed, ...kept }, errors: {} });
}

/**
 * Validates the answers of the first step, which come back in hidden fields or in the address; null: they are valid.
 */
function firstAgain(visit: At, said: URLSearchParams): PageAnswer | null {
  const { values, draft } = readForm(businessFields(visit), said, writtenFor(visit).say);
  return values ? null : businessPage(visit, draft);
}

/** Validates the answers of the first two steps. */
function secondAgain(visit: At, said: URLSearchParams): PageAnswer | null {
  const before = firstAgain(visit, said);
  if (before) return before;
  const { values, draft } = readForm(detailFields(visit, said.get('country')!), said, writtenFor(visit).say);
  return values ? null : detailsPage(visit, draft);
}

function detailsSent(visit: At): PageAnswer {
  const before = secondAgain(visit, visit.sent);
  if (before) return before;
  return seeOther(addressOf(PATHS.owner, Object.fromEntries(visit.sent), OF_DETAILS));
}

function ownerShown(visit: At): PageAnswer {
  const { query } = visit;
  const before = secondAgain(visit, query);
  if (before) return before;
  const kept = Object.fromEntries(OF_DETAILS.map((name) => [name, query.get(name)!]));
  return ownerPage(visit, { kept, errors: {} });
}

async function ownerSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const before = secondAgain(visit, visit.sent);
  if (before) return before;
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(ownerFields(visit), visit.sent, say);
  if (!values) return ownerPage(visit, draft);
  const account = await accountOf(desk, visit, values, draft);
  if (typeof account !== 'function') return account;
  const { name, country, timezone, currency, mode } = values;
  const made = await createFirst(
    desk,
    {
      business: { name, country, timezone, currency, test: mode === 'test' },
      owner: { email: values.email, firstName: values.first_name, lastName: values.last_name },
      account,
    },
    visit,
  );
  if (made.outcome === 'late') throw notFound();
  if (made.outcome === 'no_account') return known(visit, draft);
  await enter(desk, visit, { userId: made.userId, secondFactor: false });
  return seeOther(pageAfterLogIn(visit.site));
}

const known = (visit: At, draft: Draft): PageAnswer =>
  ownerPage(visit, withError(draft, 'email', writtenWith(visit, SET_UP).say('set_up.known')));

/**
 * Creates an account, or finds the one that the person already has: an installation whose last business was deleted may
 * have some.
 */
async function accountOf(
  { door }: Desk,
  visit: At,
  { email, password, first_name: firstName, last_name: lastName, name }: Owner,
  draft: Draft,
): Promise<First['account'] | PageAnswer> {
  const { say } = writtenFor(visit);
  const there = await door.db.acrossTenants('an account belongs to no business', (tx) =>
    findAccount(tx, emailKey(email)),
  );
  const answer = there
    ? await logIn(door, { email, password }, whence(visit))
    : await readyVouched(door, { email, password, firstName, lastName }, [name], whence(visit));
  switch (answer.outcome) {
    case 'ready':
      return answer.make;
    case 'accepted':
      return async () => answer.userId;
    case 'password':
      return ownerPage(visit, withError(draft, 'password', passwordWrong(answer.fault, say)));
    case 'refused':
    case 'second_factor':
      return known(visit, draft);
    default:
      return ownerPage(visit, withError(draft, '', waitFor(answer, say), 429));
  }
}
