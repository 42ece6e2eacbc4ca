/** The page where a person says whether an application may act for them. */
import { goOn, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import { forMembers, whence, type At, type Desk, type Member } from './desk.ts';
import { consentFields } from './views/fields.ts';
import { consentPage } from './views/consent.ts';
import { linkOverPage } from './views/entry.ts';
import type { Business } from './business.ts';

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
    post: forMembers(desk, (visit, member) => answer(desk, visit, member, true), 'profile'),
  },
  {
    path: '/{provider_id}/consent/refuse',
    charged: 'page',
    post: forMembers(desk, (visit, member) => answer(desk, visit, member, false), 'profile'),
  },
];

async function answer(desk: Desk, visit: At, member: Member, allowed: boolean): Promise<PageAnswer> {
  const { values } = readForm(consentFields, visit.sent);
  const to = values && (await desk.consents.answer(values.request, member, allowed, whence(visit)));
  return to ? goOn(to) : linkOverPage(visit);
}
