/**
 * The step in which people become known, the same for new and known ones: the email address, the code that is sent to
 * it, and the name if the business does not have it yet.
 */
import { askForLogInCode, awaitedAddress, changeName, logInByCode, readAccount } from '../../people/identity/index.ts';
import {
  at,
  codeLogInFields,
  enter,
  forMembers,
  newcomerFields,
  startFields,
  waitFor,
  whence,
  withReturn,
  writtenFor,
  type At,
  type Business,
  type Desk,
  type Member,
} from '../frame/index.ts';
import { becomeCustomer, profilesHere } from './become-customer.ts';
import { codePage, newcomerPage, secondFactorPage } from './views/entry.ts';
import { logInRoutesAt, onwards, onwardsAsNew, showLogIn } from './log-in.ts';
import { readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const backOf = (visit: At): string => safeReturn(visit.query.get('return_to'), '');

const pageWith = (visit: At, page: string, returnTo: string): PageAnswer =>
  seeOther(withReturn(at(visit.site, page), safeReturn(returnTo, '') || null));

export const logInRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}',
    charged: 'page',
    get: async ({ site }) => seeOther(at(site, 'profile')),
  },
  ...logInRoutesAt<Business>(desk, '/{provider_id}', (visit) => start(desk, visit)),
  {
    // Pages that are cached for everybody contain this form.
    path: '/{provider_id}/log-in/start',
    charged: 'credentials',
    tokenless: true,
    get: async (visit) => pageWith(visit, 'log-in', backOf(visit)),
    post: (visit) => start(desk, visit),
  },
  {
    path: '/{provider_id}/log-in/code',
    charged: 'credentials',
    get: (visit) => showCode(desk, visit, { kept: { return_to: backOf(visit) }, errors: {} }),
    post: (visit) => codeEntered(desk, visit),
  },
  {
    path: '/{provider_id}/log-in/code/again',
    charged: 'credentials',
    get: async (visit) => pageWith(visit, 'log-in/code', backOf(visit)),
    post: (visit) => sendAgain(desk, visit),
  },
  {
    path: '/{provider_id}/log-in/name',
    charged: 'page',
    get: forMembers(desk, async (visit, member) => {
      const returnTo = backOf(visit);
      if (!(await isNew(desk, visit, member.account))) return onwards(visit, returnTo);
      const { firstName, lastName } = member.account;
      return newcomerPage(visit, {
        kept: { first_name: firstName, last_name: lastName, return_to: returnTo },
        errors: {},
      });
    }),
    post: forMembers(desk, (visit, member) => named(desk, visit, member)),
  },
];

/** Sends the code to the address of the form. Every address gets the same answer. */
async function start(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(startFields(say), visit.sent, say);
  if (!values) return showLogIn(desk, visit, draft);
  const { email, return_to: returnTo } = values;
  const answer = await askForLogInCode(desk.door, { email, browser: visit.browser }, whence(visit));
  if (answer.outcome !== 'accepted') return showLogIn(desk, visit, withError(draft, '', waitFor(answer, say), 429));
  return pageWith(visit, 'log-in/code', returnTo);
}

async function showCode(desk: Desk, visit: At, draft: Draft, sent = false): Promise<PageAnswer> {
  const email = await awaitedAddress(desk.door, visit.browser);
  return email === null ? pageWith(visit, 'log-in', draft.kept.return_to ?? '') : codePage(visit, email, draft, sent);
}

async function sendAgain(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const draft: Draft = { kept: { return_to: safeReturn(visit.sent.get('return_to'), '') }, errors: {} };
  const email = await awaitedAddress(desk.door, visit.browser);
  if (email === null) return showCode(desk, visit, draft);
  const answer = await askForLogInCode(desk.door, { email, browser: visit.browser }, whence(visit));
  if (answer.outcome !== 'accepted') return showCode(desk, visit, withError(draft, '', waitFor(answer, say), 429));
  return showCode(desk, visit, draft, true);
}

async function codeEntered(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(codeLogInFields(say), visit.sent, say);
  if (!values) return showCode(desk, visit, draft);
  const answer = await logInByCode(desk.door, { code: values.code, browser: visit.browser }, whence(visit));
  switch (answer.outcome) {
    case 'accepted': {
      const { userId, secondFactor } = answer;
      await enter(desk, visit, { userId, secondFactor, keep: values.keep });
      return !leadsElsewhere(values.return_to) && (await isNew(desk, visit, { id: userId }))
        ? pageWith(visit, 'log-in/name', values.return_to)
        : onwards(visit, values.return_to);
    }
    case 'second_factor':
      return secondFactorPage(visit, {
        kept: { pending: answer.pending, keep: values.keep ? 'on' : '', return_to: values.return_to },
        errors: {},
      });
    case 'refused':
      return showCode(desk, visit, withError(draft, 'code', say('check_mail.refused')));
    case 'gone':
      return showCode(desk, visit, withError(draft, '', say('log_in.code.gone')));
    default:
      return showCode(desk, visit, withError(draft, '', waitFor(answer, say), 429));
  }
}

/** People on their way to an application or the dashboard don't become customers. */
const leadsElsewhere = (returnTo: string): boolean => /^\/(account\/\d+\/continue|dashboard)\b/.test(returnTo);

const isNew = async ({ door }: Desk, { site }: At, { id }: { readonly id: number }): Promise<boolean> => {
  const here = await door.db.acrossTenants('an account belongs to no business', (tx) => profilesHere(tx, id, site.id));
  return !here.customer && !here.staff;
};

/** Makes the person a customer under the name that they enter. */
async function named(desk: Desk, visit: At, { account }: Member): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(newcomerFields(say, visit.site), visit.sent, say);
  if (!values) return newcomerPage(visit, draft);
  const { first_name: firstName, last_name: lastName, venue, return_to: returnTo } = values;
  const person = await desk.door.changing('a new person says what they are called', async (tx) => {
    await changeName(tx, account.id, { firstName, lastName }, whence(visit), visit.now);
    return readAccount(tx, account.id);
  });
  const { venues } = visit.site;
  await becomeCustomer(desk, visit, person!, {
    venueId: venue ? Number(venue) : venues.length === 1 ? venues[0].id : null,
    broadcast: values.is_opted_into_broadcast_messages ?? false,
    sms: values.is_opted_into_sms_marketing ?? false,
    referral: null,
  });
  return onwardsAsNew(desk, visit, returnTo);
}
