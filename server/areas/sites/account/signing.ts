/**
 * Signing waivers: by a person for themselves and the children whom they manage, and by a link for one customer, on a
 * device at the desk or a phone. A booking that needs a signature leads here, and `return_to` leads back.
 */
import { readForm, type Draft } from '../../../kernel/pages/form.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { leadBack } from './back.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { readSigningLink, readUnsigned } from '../../agreements/waivers/index.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import { signedPage, signFields, signingGonePage, waiverPage, type WaiverView } from './views/signing.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { textFor } from '../../agreements/policies/index.ts';
import {
  acting,
  agreementsWritten,
  at,
  memberPage,
  nowAt,
  pageFlow,
  pictureOf,
  reading,
  refusedDraft,
  type AgreementsWritten as Written,
  type Asker,
  type At,
  type Business,
  type Desk,
  type Outcome,
  type Turn,
} from '../frame/index.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const MAX_WAIVERS = 50;

/** Reads a waiver for one person. @throws Problem 404 if the reader doesn't act for them */
const readWaiver = (desk: Desk, turn: Asker, waiver: number, customer: number): Promise<WaiverView> =>
  reading(desk, turn, async ({ ask, people, tx }) => {
    const person = people?.find(({ id }) => id === customer);
    if (!people || !person) throw notFound();
    const shown = await ask('GET /waivers/{id}', {
      params: { id: waiver },
      query: { fields: 'id,name,text,translations,version,guardian_under_age,signature_image_required' },
    });
    const { language } = agreementsWritten(turn.visit).reader;
    const guardian = await needsGuardian(turn, tx, waiver, customer);
    return {
      id: waiver,
      name: shown.name,
      text: textFor(shown.text, shown.translations as never, language),
      version: shown.version,
      drawn: shown.signature_image_required,
      person,
      guardian,
      signer: guardian && person === people[0] ? '' : await nameOf(tx, turn.visit, people[0].id),
    };
  });

/** Returns whether a guardian signs this waiver, which is unsigned, for the customer. */
async function needsGuardian({ visit }: Asker, tx: Transaction, waiver: number, customer: number) {
  const { results } = await readUnsigned(
    { tx, providerId: visit.site.id, now: nowAt(visit) },
    { customers: [customer], waiver, limit: 1 },
  );
  return results[0]?.by === 'guardian';
}

async function nameOf(tx: Transaction, { site }: At, customer: number): Promise<string> {
  const row = await tx.one<{ name: string }>(
    sql`SELECT concat_ws(' ', first_name, last_name) AS name FROM customer
      WHERE provider_id = ${site.id} AND id = ${customer}`,
  );
  return row?.name ?? '';
}

/** Signs with the values of the form; what is wrong is shown at its fields. `next`: where the browser continues. */
async function sign(
  desk: Desk,
  turn: Asker,
  view: WaiverView,
  next: (returnTo: string) => string,
): Promise<Outcome<Draft>> {
  const { visit } = turn;
  const written = agreementsWritten(visit);
  const { values, draft } = readForm(signFields(written, view.guardian), visit.sent, written.say);
  if (!values) return { again: draft };
  const picture = await pictureOf(values.lines);
  try {
    await acting(desk, turn, ({ ask }) =>
      ask('POST /waiver_agreements', {
        body: {
          waiver: view.id,
          customer: view.person.id,
          signer_name: values.name,
          signature_image: picture,
          language: written.reader.language,
          ...(/^[1-9]\d{0,8}$/.test(values.version) && { version: Number(values.version) }),
        },
      }),
    );
    return next(values.return_to);
  } catch (error) {
    return { again: refusedDraft(desk, visit, draft, error, (field) => (field === 'signer_name' ? 'name' : null)) };
  }
}

/** The page of one waiver for one person. */
const ownRoutes = (desk: Desk): PageRoute<Business>[] => {
  const find = (turn: Turn<Written>) =>
    readWaiver(desk, turn, idIn(turn.visit.params.waiver_id), idIn(turn.visit.params.customer_id));
  return memberPage<Written, Draft>(desk, {
    path: '/{provider_id}/waivers/{waiver_id}/{customer_id}',
    texts: agreementsWritten,
    // With the way back, for a log-in in between.
    here: ({ path, query }) => (query.size === 0 ? path : `${path}?${query}`),
    show: async (turn, draft) => {
      const { visit, written } = turn;
      const back = safeReturn(draft?.kept.return_to ?? visit.query.get('return_to'), at(visit.site, AGREEMENTS));
      return waiverPage(visit, written, await find(turn), { draft, back, own: true });
    },
    forms: {
      '': async (turn) =>
        sign(desk, turn, await find(turn), (back) =>
          leadBack(turn.visit.site, { back, page: AGREEMENTS, done: 'signed' }),
        ),
    },
  });
};

export const AGREEMENTS = 'profile/agreements';

interface Linked {
  readonly visit: At;
  readonly written: Written;
  readonly asker: Asker;
  readonly name: string;
  /** the first waiver that is unsigned; null: all are signed */
  readonly waiver: WaiverView | null;
}

/** The page of a link: one waiver after the other, until all are signed. */
const linkedRoutes = (desk: Desk): PageRoute<Business>[] => {
  const find = async (visit: At, written: Written) => {
    const { site, params } = visit;
    const customer = readSigningLink(desk.installation.box, site.id, params.ticket, nowAt(visit));
    if (customer === null) return signingGonePage(visit, written);
    const asker: Asker = { visit, member: null, bearer: { customer, credential: `signing_link:${customer}` } };
    const { first, name } = await reading(desk, asker, async ({ tx, people }) => ({
      name: await nameOf(tx, visit, customer),
      first:
        people &&
        (
          await readUnsigned(
            { tx, providerId: site.id, now: nowAt(visit) },
            { customers: [customer], limit: MAX_WAIVERS },
          )
        ).results.at(0),
    }));
    if (first === null) return signingGonePage(visit, written);
    const waiver = first ? await readWaiver(desk, asker, first.waiver.id, customer) : null;
    return { visit, written, asker, name, waiver } satisfies Linked;
  };
  return pageFlow<Written, Draft, Linked, Linked>({
    path: '/{provider_id}/sign/{ticket}',
    texts: agreementsWritten,
    here: ({ path }) => path,
    look: find,
    send: find,
    show: ({ visit, written, name, waiver }, draft) =>
      waiver === null
        ? signedPage(visit, written, name)
        : waiverPage(visit, written, waiver, { draft, back: null, own: false }),
    forms: {
      '': async ({ visit, asker, waiver }) =>
        waiver === null ? visit.path : sign(desk, asker, waiver, () => visit.path),
    },
  });
};

export const signingRoutes = (desk: Desk): PageRoute<Business>[] => [...ownRoutes(desk), ...linkedRoutes(desk)];
