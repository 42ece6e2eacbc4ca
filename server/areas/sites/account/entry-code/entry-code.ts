/** The page on which people replace the codes that they show at the door: theirs, and those of their children. */
import {
  accountPage,
  acting,
  at,
  codeOwnerFields,
  memberPage,
  reading,
  withDone,
  writtenFor,
  type Business,
  type Desk,
} from '../../frame/index.ts';
import { entryCodes } from '../../../people/customers/index.ts';
import { entryCodePage, type EntryCodeView } from './page.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { readForm } from '../../../../kernel/pages/form.ts';
import { seeOther } from '../../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

const PAGE = 'profile/code';

export const entryCodeRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: writtenFor,
    here: accountPage(PAGE),
    show: async (turn) => {
      const { site } = turn.visit;
      const view = await reading(desk, turn, async ({ people, tx }): Promise<EntryCodeView | null> => {
        const coming = people?.filter(({ participating }) => participating) ?? [];
        const ids = coming.map(({ id }) => id);
        const codes = await entryCodes({ tx, providerId: site.id }, desk.installation.box, ids);
        return coming.length === 0 ? null : { people: coming, codes };
      });
      return view ? entryCodePage(turn.visit, view) : seeOther(at(site, 'profile'));
    },
    forms: {
      '': async (turn) => {
        const { values } = readForm(codeOwnerFields, turn.visit.sent);
        await acting(desk, turn, async ({ ask, people }) => {
          const one = people?.find(({ id }) => String(id) === values?.customer);
          if (!one) throw notFound();
          await ask('POST /customers/{id}/entry_code/reset', { params: { id: one.id }, body: {} });
        });
        return withDone(at(turn.visit.site, PAGE), 'code-reset');
      },
    },
  });
