/** The family of a person: the children whom they book and pay for, and a form to add one. */
import {
  type Desk,
  type Business,
  at,
  childFields,
  eyesOf,
  type Person,
  withDone,
  writtenFor,
  type Ask,
  accountPage,
  acting,
  memberPage,
  reading,
  withForm,
  type Turn,
  type AccountWritten,
} from '../frame/index.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { familyPage, type FamilyView } from './views/family.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/family';

export const familyRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<AccountWritten, Draft>(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: writtenFor,
    here: accountPage(PAGE),
    show: async (turn, draft = EMPTY) => {
      const view = await reading(desk, turn, async ({ ask, people }): Promise<FamilyView | null> => {
        if (!people) return null;
        const [me, ...children] = await familyOf(ask, people);
        return { participating: people[0].participating, isChild: me.role === 'child', children };
      });
      return view ? familyPage(turn.visit, view, draft) : seeOther(at(turn.visit.site, 'profile'));
    },
    forms: {
      '': (turn) =>
        withForm(desk, turn, childFields(turn.written.say), async (child) => {
          await addChild(desk, turn, child);
          return withDone(at(turn.visit.site, PAGE), 'child-added');
        }),
      /** Records whether a parent takes part: one who only books for others is not offered a place. */
      participation: async (turn) => {
        const { site, sent } = turn.visit;
        await acting(desk, turn, async ({ ask, people }) => {
          if (!people) return;
          const body = { participating: sent.get('participating') === 'on' };
          await ask('PUT /customers/{id}/participation', { params: { id: people[0].id }, body });
        });
        return withDone(at(site, PAGE), 'wishes');
      },
    },
  });

/** Returns the people as the interface shows them, the account's own person first. */
async function familyOf(ask: Ask, people: readonly Person[]) {
  const all = [];
  for (const { id } of people) {
    const one = await ask('GET /customers/{id}', {
      params: { id },
      query: { fields: 'first_name,last_name,date_of_birth,family_role' },
    });
    all.push({
      id,
      firstName: one.first_name ?? '',
      lastName: one.last_name ?? '',
      born: one.date_of_birth,
      role: one.family_role,
    });
  }
  return all;
}

/** The form was sent twice: the child already exists. */
class Twice extends Error {}

interface Child {
  readonly first_name: string;
  readonly last_name: string;
  /** YYYY-MM-DD; empty: unknown */
  readonly date_of_birth: string;
}

/** Adds the child, unless the parent has the same one already. @throws Problem the refusal */
const addChild = (desk: Desk, turn: Turn<unknown>, { first_name, last_name, date_of_birth: born }: Child) =>
  acting(desk, turn, async ({ ask, tx, people }) => {
    if (!people) return;
    const body = { first_name, last_name, ...(born !== '' && { date_of_birth: born }) };
    // The call locks the parent, so that the second of two forms sees the child of the first.
    const { id } = await ask('POST /customers/{id}/add_child', { params: { id: people[0].id }, body });
    const now = await eyesOf(tx, turn.visit, turn.member);
    const others = await familyOf(
      ask,
      now.people!.slice(1).filter((one) => one.id !== id),
    );
    const same = others.some(
      (one) => one.firstName === first_name && one.lastName === last_name && (one.born ?? '') === born,
    );
    if (same) throw new Twice();
  }).catch((error: unknown) => {
    if (!(error instanceof Twice)) throw error;
  });
