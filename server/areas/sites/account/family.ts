/** The family of a person: the children whom they book and pay for, and the invitation of another parent. */
import {
  type Desk,
  type Business,
  at,
  childFields,
  loadStaffViewer,
  idFields,
  inviteFields,
  joinFields,
  type Person,
  withDone,
  writtenFor,
  type Ask,
  acting,
  memberPage,
  reading,
  valuesIn,
  withForm,
  type At,
  type Turn,
  type AccountWritten,
} from '../frame/index.ts';
import { becomeCustomer } from '../log-in/index.ts';
import { familyPage, type FamilyForm, type FamilySent, type FamilyView } from './views/family.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { Draft } from '../../../kernel/pages/form.ts';
import type { Outcome } from '../frame/index.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/family';
const LONGEST_CODE = 100;

/** Returns the code of the invitation that the link of an email carries; null without one. */
const codeIn = ({ query }: At): string | null => query.get('invite')?.slice(0, LONGEST_CODE) || null;

/** The log-in leads back to the page with the invitation. */
function here(visit: At): string {
  const [path, invite] = [at(visit.site, PAGE), codeIn(visit)];
  return invite === null ? path : `${path}?${new URLSearchParams({ invite })}`;
}

const ofForm = (form: FamilyForm, outcome: Outcome<Draft>): Outcome<FamilySent> =>
  typeof outcome === 'object' && 'again' in outcome ? { again: { form, draft: outcome.again } } : outcome;

export const familyRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<AccountWritten, FamilySent>(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: writtenFor,
    here,
    show: async (turn, sent) => {
      const code = codeIn(turn.visit) ?? (sent?.form === 'join' ? sent.draft.kept.invite : null) ?? null;
      const view = await reading(desk, turn, async ({ ask, people }): Promise<FamilyView | null> => {
        if (!people) return code === null ? null : { participating: true, isChild: false, children: [], invites: null };
        const [me, ...children] = await familyOf(ask, people);
        const isChild = me.role === 'child';
        return { participating: people[0].participating, isChild, children, invites: isChild ? [] : await openOf(ask) };
      });
      return view ? familyPage(turn.visit, { ...view, code }, sent) : seeOther(at(turn.visit.site, 'profile'));
    },
    forms: {
      '': async (turn) =>
        ofForm(
          'child',
          await withForm(desk, turn, childFields(turn.written.say), async (child) => {
            await addChild(desk, turn, child);
            return withDone(at(turn.visit.site, PAGE), 'child-added');
          }),
        ),
      invite: async (turn) => {
        const fields = inviteFields(turn.written.say);
        const invite = (body: Readonly<Record<string, string>>) =>
          acting(desk, turn, async ({ ask, people }) => {
            if (people) await ask('POST /family_invites', { body });
            return withDone(at(turn.visit.site, PAGE), 'invited');
          });
        return ofForm('invite', await withForm(desk, turn, fields, invite, (name) => (name in fields ? name : null)));
      },
      withdraw: async (turn) => {
        const { id } = valuesIn(idFields, turn.visit);
        await acting(desk, turn, ({ ask }) => ask('DELETE /family_invites/{id}', { params: { id: Number(id) } }));
        return withDone(at(turn.visit.site, PAGE), 'invite-withdrawn');
      },
      /** Somebody who follows the link may be no customer yet. */
      join: async (turn) => {
        const { visit, member } = turn;
        if (member.account.emailConfirmedAt === null) return withDone(at(visit.site, 'profile'), 'not-possible');
        await becomeCustomer(desk, visit, member.account, true);
        const join = ({ invite: code }: { readonly invite: string }) =>
          acting(desk, turn, async ({ ask }) => {
            await ask('POST /family_invites/accept', { body: { code } });
            return withDone(at(visit.site, PAGE), 'family-joined');
          });
        return ofForm('join', await withForm(desk, turn, joinFields, join));
      },
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

/** Returns the invitations that wait for an answer. */
async function openOf(ask: Ask) {
  const { results } = await ask('GET /family_invites', { query: { claimed: false } });
  return results
    .filter(({ claim_url: url }) => url !== null)
    .map(({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name}`, email }));
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
    const now = await loadStaffViewer(tx, turn.visit, turn.member);
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
