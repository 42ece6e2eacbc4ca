/** The settings of an account, and their forms. */
import { readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import {
  askToChangeEmail,
  askToConfirmEmail,
  changeName,
  changePassword,
  endOtherSessions,
  endSessionAnywhere,
  endSessionsElsewhere,
  listPasskeys,
  listSessions,
  listUserEvents,
  recoveryCodesLeft,
  sessionsElsewhere,
  type UserEvent,
} from '../../people/identity/index.ts';
import {
  type Business,
  at,
  forMembers,
  passwordWrong,
  waitFor,
  whence,
  type At,
  type Desk,
  type Member,
  ACCOUNT,
  writtenFor,
  type AccountKey,
  type AccountSay,
  deviceText,
  emailFields,
  idFields,
  nameFields,
  passwordFields,
  withDone,
} from '../frame/index.ts';
import { becomeCustomer, onwardsAsNew } from '../log-in/index.ts';
import { asksCustomers } from './questions.ts';
import { hasAgreements } from './agreements.ts';
import { readAbout } from './about.ts';
import { settingsPage, type ActivityRow, type SentForm } from './views/settings.ts';

const PAGE = 'profile/settings';
const MAX_EVENTS = 20;

export function settingsRoutes(desk: Desk): PageRoute<Business>[] {
  /** Returns a form of the page at an address of its own; a GET redirects to the page. */
  const form = (
    name: string,
    charged: 'page' | 'credentials',
    act: (visit: At, member: Member) => Promise<PageAnswer>,
  ): PageRoute<Business> => ({
    path: `/{provider_id}/profile/${name}`,
    charged,
    get: async ({ site }) => seeOther(at(site, PAGE)),
    post: forMembers(desk, act, PAGE),
  });
  const changing = desk.door.changing.bind(null, 'an account belongs to no business');
  return [
    {
      path: `/{provider_id}/${PAGE}`,
      charged: 'page',
      get: forMembers(desk, (visit, member) => showSettings(desk, visit, member)),
    },
    form('name', 'page', async (visit, member) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(nameFields(say), visit.sent, say);
      if (!values) return showSettings(desk, visit, member, { form: 'name', draft });
      await changing((tx) =>
        changeName(
          tx,
          member.account.id,
          { firstName: values.first_name, lastName: values.last_name },
          whence(visit),
          visit.now,
        ),
      );
      return done(visit, 'name');
    }),
    form('email', 'credentials', async (visit, member) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(emailFields(say), visit.sent, say);
      const again = (wrong: Draft) => showSettings(desk, visit, member, { form: 'email', draft: wrong });
      if (!values) return again(draft);
      const answer = await askToChangeEmail(
        desk.door,
        member.session,
        { email: values.new_email, password: values.current_password },
        whence(visit),
      );
      if (answer.outcome === 'accepted') return done(visit, 'email-sent');
      return again(
        answer.outcome === 'refused'
          ? withError(draft, 'current_password', say('proof.refused'))
          : withError(draft, '', waitFor(answer, say), 429),
      );
    }),
    form('password', 'credentials', async (visit, member) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(passwordFields(say), visit.sent, say);
      const again = (wrong: Draft) => showSettings(desk, visit, member, { form: 'password', draft: wrong });
      if (!values) return again(draft);
      const answer = await changePassword(
        desk.door,
        member.session,
        { current: values.old_password, next: values.password },
        whence(visit),
      );
      if (answer.outcome === 'accepted') {
        visit.renewSession(answer.token);
        return done(visit, 'password');
      }
      if (answer.outcome === 'password') return again(withError(draft, 'password', passwordWrong(answer.fault, say)));
      return again(
        answer.outcome === 'refused'
          ? withError(draft, 'old_password', say('proof.refused'))
          : withError(draft, '', waitFor(answer, say), 429),
      );
    }),
    form('sessions/end', 'page', async (visit, { account }) => {
      const id = idOf(visit);
      const ended = id !== null && (await endSessionAnywhere(desk.door, account.id, id, whence(visit)));
      return done(visit, ended ? 'session' : 'not-possible');
    }),
    form('sessions/end-others', 'page', async (visit, { account, session }) => {
      await changing(async (tx) => {
        await endOtherSessions(tx, account.id, session.id);
        if (desk.door.cells !== null) await endSessionsElsewhere(tx, account.id, session.id, visit.now);
      });
      return done(visit, 'sessions');
    }),
    form('confirm', 'credentials', async (visit, { account }) => {
      if (account.emailConfirmedAt === null) await changing((tx) => askToConfirmEmail(tx, account.id, whence(visit)));
      return done(visit, 'confirm-sent', 'profile');
    }),
    form('join', 'page', async (visit, { account }) => {
      if (account.emailConfirmedAt === null) return done(visit, 'not-possible', 'profile');
      await becomeCustomer(desk, visit, account, true);
      return onwardsAsNew(desk, visit, at(visit.site, 'profile'), 'joined');
    }),
    form('disconnect', 'page', async (visit, { account }) => {
      const id = idOf(visit);
      return done(
        visit,
        id !== null && (await desk.connections.end(account.id, id, whence(visit))) ? 'disconnected' : 'not-possible',
      );
    }),
  ];
}

const done = ({ site }: At, what: string, page = PAGE): PageAnswer => seeOther(withDone(at(site, page), what));

function idOf(visit: At): number | null {
  const { values } = readForm(idFields, visit.sent);
  return values && /^[1-9]\d{0,14}$/.test(values.id) ? Number(values.id) : null;
}

/** Shows the settings. For somebody who is not a customer here, they are the whole account. */
export async function showSettings(
  desk: Desk,
  visit: At,
  member: Member,
  sent: SentForm | null = null,
): Promise<PageAnswer> {
  const { account, session } = member;
  const { id: userId } = account;
  const here = await desk.door.db.acrossTenants('an account belongs to no business', async (tx) => ({
    sessions: await listSessions(tx, userId, visit.now),
    events: await listUserEvents(tx, userId, MAX_EVENTS),
    passkeys: (await listPasskeys(tx, userId)).length,
    codesLeft: account.secondFactor ? await recoveryCodesLeft(tx, userId) : 0,
  }));
  const about = await readAbout(desk, visit, member);
  const elsewhere = await sessionsElsewhere(desk.door, userId);
  const apps = await desk.connections.list(userId);
  const registered = await desk.connections.registered(visit.site.id);
  return settingsPage(
    visit,
    {
      about: about.customer ? null : about,
      asked: about.customer && (await asksCustomers(desk, visit)),
      agrees: about.customer && (await hasAgreements(desk, visit)),
      passkeys: here.passkeys,
      firstName: account.firstName,
      lastName: account.lastName,
      email: account.email,
      secondFactor: account.secondFactor,
      recoveryCodesLeft: here.codesLeft,
      sessions: [...here.sessions, ...elsewhere.sessions]
        .toSorted((a, b) => b.seenAt - a.seenAt)
        .map(({ id, agent, seenAt, cell }) => ({
          id,
          agent,
          seenAt,
          current: id === session.id && cell === session.cell,
        })),
      sessionsAway: elsewhere.away,
      activity: here.events.map(activityOf(writtenFor(visit).say)),
      connections: apps.connections,
      connectionsAway: apps.away,
      assistants: { registered, address: `${desk.installation.baseUrl}/mcp` },
    },
    sent,
  );
}

/**
 * Returns the name of an activity; a kind without a text here is derived from its own name, for example `card_printed`
 * as "Card printed".
 */
function said(say: AccountSay, kind: string): string {
  const key = `event.${kind}`;
  return isKey(key) ? say(key) : kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');
}

const isKey = (key: string): key is AccountKey => Object.hasOwn(ACCOUNT.languages.en, key);

/** Returns where an activity happened and on which device, as far as that was recorded. */
const activityOf =
  (say: AccountSay) =>
  ({ kind, at: when, application, network, agent }: UserEvent): ActivityRow => ({
    what: said(say, kind),
    at: when,
    where: [application, agent && deviceText(say, agent), network].filter(Boolean).join(', '),
  });
