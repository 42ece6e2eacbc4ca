/** The family of a person: the children whom they book and pay for, and a form to add one. */
import {
  askAs,
  forMembers,
  received,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  childFields,
  eyesOf,
  type Person,
  withDone,
  writtenFor,
  type Ask,
} from '../frame/index.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { familyPage, type FamilyView } from './views/family.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/family';

export function familyRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: `/{provider_id}/${PAGE}`,
      charged: 'page',
      get: forMembers(desk, (visit, member) => show(desk, visit, member, EMPTY)),
      post: forMembers(desk, (visit, member) => addChild(desk, visit, member), PAGE),
    },
    {
      path: `/{provider_id}/${PAGE}/participation`,
      charged: 'page',
      get: async ({ site }) => seeOther(at(site, PAGE)),
      post: forMembers(desk, (visit, member) => participate(desk, visit, member), PAGE),
    },
  ];
}

async function show(desk: Desk, visit: At, member: Member, draft: Draft): Promise<PageAnswer> {
  const view = await desk.door.db.looking(visit.site.id, async (tx): Promise<FamilyView | null> => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people) return null;
    const [me, ...children] = await familyOf(askAs(desk, visit, viewer, tx), people);
    return { participating: people[0].participating, isChild: me.role === 'child', children };
  });
  return view ? familyPage(visit, view, draft) : seeOther(at(visit.site, 'profile'));
}

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

async function addChild(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(childFields(say), visit.sent, say);
  if (!values) return show(desk, visit, member, draft);
  const { first_name, last_name, date_of_birth: born } = values;
  try {
    await desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer, people } = await eyesOf(tx, visit, member);
      if (!people) return;
      const ask = askAs(desk, visit, viewer, tx);
      const body = { first_name, last_name, ...(born !== '' && { date_of_birth: born }) };
      // The call locks the parent, so that the second of two forms sees the child of the first.
      const { id } = await ask('POST /customers/{id}/add_child', { params: { id: people[0].id }, body });
      const now = await eyesOf(tx, visit, member);
      const others = await familyOf(
        ask,
        now.people!.slice(1).filter((one) => one.id !== id),
      );
      const same = others.some(
        (one) => one.firstName === first_name && one.lastName === last_name && (one.born ?? '') === born,
      );
      if (same) throw new Twice();
    });
  } catch (error) {
    if (error instanceof Problem && error.status < 500) {
      const { message, status } = received(desk, visit, error);
      return show(desk, visit, member, withError(draft, '', message, status));
    }
    if (!(error instanceof Twice)) throw error;
  }
  return seeOther(withDone(at(visit.site, PAGE), 'child-added'));
}

/** Records whether a parent takes part: one who only books for others is not offered a place. */
async function participate(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  await desk.door.db.transaction(visit.site.id, async (tx) => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people) return;
    const ask = askAs(desk, visit, viewer, tx);
    await ask('PUT /customers/{id}/participation', {
      params: { id: people[0].id },
      body: { participating: visit.sent.get('participating') === 'on' },
    });
  });
  return seeOther(withDone(at(visit.site, PAGE), 'wishes'));
}
