/** The page where a person decides whether an application may act for them. */
import {
  at,
  forMembers,
  whence,
  type At,
  type Desk,
  type Member,
  consentFields,
  type Business,
} from '../frame/index.ts';
import { goOn, seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import { consentPage } from './views/consent.ts';
import { linkOverPage } from './views/entry.ts';

export const consentRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/consent/{request}',
    charged: 'page',
    get: forMembers(desk, async (visit, member) => {
      const question = await desk.consents.question(visit.params.request, member);
      return question ? consentPage(visit, question, member.account.email) : linkOverPage(visit);
    }),
  },
  {
    path: '/{provider_id}/consent/allow',
    charged: 'page',
    get: async (visit) => seeOther(questionOf(visit, visit.query) ?? at(visit.site, 'profile')),
    post: forMembers(
      desk,
      (visit, member) => answer(desk, visit, member, true),
      (visit) => questionOf(visit, visit.sent),
    ),
  },
  {
    path: '/{provider_id}/consent/refuse',
    charged: 'page',
    get: async (visit) => seeOther(questionOf(visit, visit.query) ?? at(visit.site, 'profile')),
    post: forMembers(
      desk,
      (visit, member) => answer(desk, visit, member, false),
      (visit) => questionOf(visit, visit.sent),
    ),
  },
];

/** Returns the page of the consent request that a form answers. */
function questionOf({ site }: At, sent: URLSearchParams): string | null {
  const request = sent.get('request');
  return request ? at(site, `consent/${encodeURIComponent(request)}`) : null;
}

async function answer(desk: Desk, visit: At, member: Member, allowed: boolean): Promise<PageAnswer> {
  const { values } = readForm(consentFields, visit.sent);
  const chosen = { groups: visit.sent.getAll('groups'), venues: visit.sent.getAll('venues') };
  const limited = allowed && visit.sent.get('limits') === 'asked' ? chosen : allowed;
  const to = values && (await desk.consents.answer(values.request, member, limited, whence(visit)));
  return to ? goOn(to) : linkOverPage(visit);
}
