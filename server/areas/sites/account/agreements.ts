/** Signed waivers and agreements of a person, policies to read, and agreements of new customers. */
import { AGREEMENTS } from './signing.ts';
import { agreeFields, agreePage, agreementsPage, policyPage, type AgreementsView } from './views/agreements.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { missingPolicies, textFor } from '../../agreements/policies/index.ts';
import { readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { readUnsigned, waiverPath } from '../../agreements/waivers/index.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import { seeOther, toKeep } from '../../../kernel/pages/visit.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import {
  accountPage,
  acting,
  agreementsWritten,
  at,
  forMembers,
  memberPage,
  nowAt,
  openPage,
  reading,
  refusedDraft,
  withReturn,
  type AgreementsWritten as Written,
  type Asker,
  type At,
  type Business,
  type Desk,
} from '../frame/index.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const MAX_ROWS = 100;

export const agreementRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...ownRoutes(desk),
  ...policyRoutes(desk),
  ...newcomerRoutes(desk),
];

/** Returns true if the business has something to sign or to agree to. */
export const hasAgreements = ({ door }: Desk, { site }: At): Promise<boolean> =>
  door.db.looking(site.id, async (tx) => {
    const row = await tx.one<{ has: boolean }>(sql`
      SELECT EXISTS (SELECT FROM waiver WHERE provider_id = ${site.id})
        OR EXISTS (SELECT FROM policy WHERE provider_id = ${site.id}) AS has`);
    return row!.has;
  });

const readAgreements = (desk: Desk, turn: Asker): Promise<AgreementsView | null> =>
  reading(desk, turn, async ({ ask, tx, people }) => {
    if (people === null) return null;
    const ids = people.map(({ id }) => id);
    const now = { tx, providerId: turn.visit.site.id, now: nowAt(turn.visit) };
    const { results: open } = await readUnsigned(now, { customers: ids, limit: MAX_ROWS });
    const signed = await ask('GET /waiver_agreements', {
      query: { page_size: MAX_ROWS, fields: 'id,customer,signed_at,signer_name,title' },
    });
    const agreed = await ask('GET /policy_agreements', {
      query: { page_size: MAX_ROWS, expand: 'version', fields: 'id,customer,agreed_at,policy,version.id' },
    });
    const names = await tx.rows<{ id: number; name: string }>(
      sql`SELECT id, name FROM policy WHERE provider_id = ${turn.visit.site.id}
        AND id = ANY(${agreed.results.map((one) => one.policy)}::bigint[])`,
    );
    return {
      people: people.map((person) => ({
        person,
        open: open.flatMap(({ customer, waiver: { id, title } }) =>
          customer === person.id ? [{ name: title, path: waiverPath(turn.visit.site.id, id, person.id) }] : [],
        ),
        signed: signed.results.flatMap(({ id, customer, signed_at: when, signer_name: by, title }) =>
          customer === person.id ? [{ id, name: title, by, at: Date.parse(when) }] : [],
        ),
        agreed: agreed.results.flatMap(({ customer, agreed_at: when, policy, version }) =>
          customer === person.id && version
            ? [
                {
                  version: version.id,
                  name: names.find(({ id }) => id === policy)?.name ?? '',
                  at: Date.parse(when),
                },
              ]
            : [],
        ),
      })),
    };
  });

const ownRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...memberPage(desk, {
    path: `/{provider_id}/${AGREEMENTS}`,
    texts: agreementsWritten,
    here: accountPage(AGREEMENTS),
    show: async (turn) => {
      const view = await readAgreements(desk, turn);
      return view ? agreementsPage(turn.visit, turn.written, view) : seeOther(at(turn.visit.site, 'profile'));
    },
  }),
  {
    path: `/{provider_id}/${AGREEMENTS}/{agreement_id}`,
    charged: 'page',
    get: forMembers(desk, async (visit, member) =>
      toKeep(
        await reading(desk, { visit, member }, ({ ask }) =>
          ask('GET /waiver_agreements/{id}/download', { params: { id: idIn(visit.params.agreement_id) } }),
        ),
      ),
    ),
  },
];

/** The text of a policy, for everybody. */
const policyRoutes = (desk: Desk): PageRoute<Business>[] =>
  openPage(desk, {
    path: '/{provider_id}/policies/{version_id}',
    texts: agreementsWritten,
    here: ({ path }) => path,
    show: async (turn) => {
      const { visit, written } = turn;
      const view = await reading(desk, turn, async ({ ask, tx }) => {
        const id = idIn(visit.params.version_id);
        const version = await ask('GET /policy_versions/{id}', {
          params: { id },
          query: { fields: 'text,translations,effective_at,policy' },
        });
        const row = await tx.one<{ name: string }>(
          sql`SELECT name FROM policy WHERE provider_id = ${visit.site.id} AND id = ${version.policy}`,
        );
        const { text, translations, effective_at: since } = version;
        return {
          name: row!.name,
          text: textFor(text, translations as never, written.reader.language),
          since: Date.parse(since),
        };
      });
      return policyPage(visit, written, view);
    },
  });

/** Reads what a new customer still has to agree to, and the first waiver that everyone signs. */
const readNewcomer = (desk: Desk, turn: Asker) =>
  reading(desk, turn, async ({ tx, people }) => {
    if (people === null) return null;
    const [me] = people;
    const here = { tx, providerId: turn.visit.site.id, now: nowAt(turn.visit) };
    const policies = await missingPolicies(here, me.id, 'signup');
    const { results } = await readUnsigned(here, { customers: [me.id], limit: 1 });
    return { me, policies, waiver: results[0]?.waiver.id ?? null };
  });

/** Returns the address at which new customers agree and sign, and from which they continue. */
export const agreementsOfNewcomers = (site: Business, back: string): string => withReturn(at(site, 'agreements'), back);

/** Agreements and waivers of new customers, right after they signed up. */
const newcomerRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<Written, Draft>(desk, {
    path: '/{provider_id}/agreements',
    texts: agreementsWritten,
    here: ({ path, query }) => (query.size === 0 ? path : `${path}?${query}`),
    show: async (turn, draft) => {
      const { visit, written } = turn;
      const back = safeReturn(draft?.kept.return_to ?? visit.query.get('return_to'), at(visit.site, 'profile'));
      const found = await readNewcomer(desk, turn);
      if (found === null) return seeOther(back);
      const { me, policies, waiver } = found;
      if (policies.length > 0) return agreePage(visit, written, policies, { draft, back });
      // Signing is asked once here: people who put it off are asked again before a class that needs it.
      return seeOther(waiver === null ? back : withReturn(waiverPath(visit.site.id, waiver, me.id), back));
    },
    forms: {
      '': async (turn) => {
        const { visit, written } = turn;
        const found = await readNewcomer(desk, turn);
        const { values, draft } = readForm(agreeFields(written, found?.policies ?? []), visit.sent, written.say);
        if (!values || !found) return agreementsOfNewcomers(visit.site, at(visit.site, 'profile'));
        if (!values.agree) return { again: withError(draft, 'agree', written.say('agree.missing')) };
        try {
          await acting(desk, turn, async ({ ask }) => {
            for (const { id: policy, version } of found.policies)
              await ask('POST /policy_agreements', { body: { policy, version } });
          });
        } catch (error) {
          return { again: refusedDraft(desk, visit, draft, error) };
        }
        return agreementsOfNewcomers(visit.site, safeReturn(values.return_to, at(visit.site, 'profile')));
      },
    },
  });
