/** The second step of the log-in: setting it up, its recovery codes, switching it off. */
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  enrolmentUnderWay,
  isFresh,
  reauthenticate,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../people/identity/index.ts';
import {
  type Business,
  at,
  forMembers,
  waitFor,
  whence,
  type At,
  type Desk,
  type Member,
  writtenFor,
  codeFields,
  codesFields,
  offFields,
  proofFields,
} from '../frame/index.ts';
import { beginSecondFactorPage, enrolPage, recoveryCodesPage, secondFactorOnPage } from './views/second-factor.ts';

export function secondFactorRoutes(desk: Desk): PageRoute<Business>[] {
  const form = (name: string, act: (visit: At, member: Member) => Promise<PageAnswer>): PageRoute<Business> => ({
    path: `/{provider_id}/profile/second-factor/${name}`,
    charged: 'credentials',
    get: async ({ site }) => seeOther(at(site, 'profile/second-factor')),
    post: forMembers(desk, act, 'profile/second-factor'),
  });
  return [
    {
      path: '/{provider_id}/profile/second-factor',
      charged: 'page',
      get: forMembers(desk, (visit, member) => show(desk, visit, member)),
    },
    form('begin', (visit, member) => begin(desk, visit, member)),
    form('confirm', async (visit, { session }) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(codeFields(say), visit.sent, say);
      const again = async (wrong: Draft): Promise<PageAnswer> =>
        (await showEnrolment(desk, visit, session.userId, wrong)) ?? seeOther(at(visit.site, 'profile/second-factor'));
      if (!values) return again(draft);
      const answer = await confirmSecondFactor(desk.door, session, values.code, whence(visit));
      if (answer.outcome === 'refused') return again(withError(draft, 'code', say('second.wrong')));
      if (answer.outcome !== 'accepted') return again(withError(draft, '', waitFor(answer, say), 429));
      visit.renewSession(answer.token);
      return recoveryCodesPage(visit, answer.recoveryCodes);
    }),
    form('codes', async (visit, { session }) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(codesFields(say), visit.sent, say);
      if (!values) return secondFactorOnPage(visit, { form: 'codes', draft });
      const answer = await renewRecoveryCodes(desk.door, session, values.code, whence(visit));
      if (answer.outcome === 'accepted') return recoveryCodesPage(visit, answer.recoveryCodes);
      return secondFactorOnPage(visit, {
        form: 'codes',
        draft:
          answer.outcome === 'refused'
            ? withError(draft, 'code', say('second.wrong'))
            : withError(draft, '', waitFor(answer, say), 429),
      });
    }),
    form('off', async (visit, { session }) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(offFields(say), visit.sent, say);
      if (!values) return secondFactorOnPage(visit, { form: 'off', draft });
      const answer = await removeSecondFactor(
        desk.door,
        session,
        { password: values.current_password, code: values.code },
        whence(visit),
      );
      if (answer.outcome === 'accepted')
        return seeOther(`${at(visit.site, 'profile/settings')}?done=second-factor-off`);
      return secondFactorOnPage(visit, {
        form: 'off',
        draft:
          answer.outcome === 'refused'
            ? withError(draft, '', say('second.wrong_both'))
            : withError(draft, '', waitFor(answer, say), 429),
      });
    }),
  ];
}

/**
 * Shows the secret only to somebody who has just proved their identity: anyone who finds an open window learns nothing.
 */
async function show(desk: Desk, visit: At, { session, account }: Member): Promise<PageAnswer> {
  if (account.secondFactor) return secondFactorOnPage(visit);
  const fresh = isFresh(session, visit.now);
  return (fresh && (await showEnrolment(desk, visit, account.id))) || beginSecondFactorPage(visit, { proof: !fresh });
}

async function showEnrolment(desk: Desk, visit: At, userId: number, draft: Draft = EMPTY): Promise<PageAnswer | null> {
  const enrolment = await enrolmentUnderWay(desk.door, userId, visit.site.name);
  return enrolment && enrolPage(visit, { qr: enrolment.svg, secret: enrolment.secret, uri: enrolment.uri }, draft);
}

async function begin(desk: Desk, visit: At, { session, account }: Member): Promise<PageAnswer> {
  if (!isFresh(session, visit.now)) {
    const { say } = writtenFor(visit);
    const { values, draft } = readForm(proofFields(say), visit.sent, say);
    if (!values) return beginSecondFactorPage(visit, { proof: true, draft });
    const answer = await reauthenticate(desk.door, session, values.current_password, whence(visit));
    if (answer.outcome === 'refused')
      return beginSecondFactorPage(visit, {
        proof: true,
        draft: withError(draft, 'current_password', say('proof.refused')),
      });
    if (answer.outcome !== 'accepted')
      return beginSecondFactorPage(visit, { proof: true, draft: withError(draft, '', waitFor(answer, say), 429) });
    visit.renewSession(answer.token);
  }
  await beginSecondFactor(desk.door, account.id, visit.site.name);
  return seeOther(at(visit.site, 'profile/second-factor'));
}
