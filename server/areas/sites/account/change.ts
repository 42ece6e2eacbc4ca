/** Changing a recurring plan to another one, today or when it ends, after an exact preview; the rest is a checkout. */
import {
  acting,
  at,
  effectsOf,
  memberPage,
  numberIn,
  refusedDraft,
  textIn,
  writtenFor,
  type AccountWritten,
  type Acting,
  type Ask,
  type Asker,
  type Business,
  type Desk,
  type Turn,
} from '../frame/index.ts';
import { changePage, choicesPage, type Changing, type Choice, type Preview } from './views/change.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { fillCheckout, pageOfCheckout } from '../checkout/index.ts';
import { listConsequences } from './follows.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { moneyOf } from '../../../kernel/base/values/money.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const MAX_OFFERS = 100;
/** Plans whose consequences are shown beside each other. */
const MAX_PREVIEWS = 6;

export const changePath = (site: Business, customerMembership: number): string =>
  at(site, `profile/memberships/${customerMembership}/change`);

export const changeRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<AccountWritten, Draft>(desk, {
    path: '/{provider_id}/profile/memberships/{customermembership_id}/change',
    texts: writtenFor,
    here: ({ path }) => path,
    show: (turn, draft = EMPTY) => show(desk, turn, draft),
    forms: { '': (turn) => begin(desk, turn) },
    refused: ({ visit }, error) => refusedDraft(desk, visit, EMPTY, error),
  });

type When = Preview['when'];

const isWhen = (text: string | null): text is When => text === 'now' || text === 'later';

/**
 * Returns the membership in the address, and the plans that can replace it.
 * @throws Problem 404 unless it is a recurring plan that goes on, of the person or of somebody whom they act for
 */
async function changing(turn: Asker, { ask, people }: Acting): Promise<Changing & { readonly customer: number }> {
  const id = idIn(turn.visit.params.customermembership_id);
  const { results } = await ask('GET /customer_memberships', {
    query: {
      ids: id,
      fields: 'id,name,customer,membership,payment_plan,allowed_cancellation_date,is_set_for_cancellation',
    },
  });
  const [one] = results;
  const owner = people?.find((person) => person.id === one?.customer);
  if (!owner || one.allowed_cancellation_date === null || one.is_set_for_cancellation) throw notFound();
  return {
    id,
    name: one.name,
    customer: owner.id,
    forWhom: owner.name,
    choices: (await choicesOf(ask)).filter(
      (choice) => choice.membership !== one.membership || choice.plan !== one.payment_plan,
    ),
  };
}

async function choicesOf(ask: Ask): Promise<Choice[]> {
  const { results } = await ask('GET /memberships', {
    query: {
      type: 'recurring_plan',
      for_sale: true,
      fields:
        'id,name,purchasable_only_by_provider,plans.id,plans.status,plans.price,plans.billing_period_length,plans.billing_period_unit',
      expand: 'plans',
      page_size: MAX_OFFERS,
    },
  });
  return results
    .filter((one) => !one.purchasable_only_by_provider)
    .flatMap(({ id, name, plans }) =>
      plans
        .filter(({ status }) => status === 'for_sale')
        .map((plan) => ({
          membership: id,
          plan: plan.id,
          name,
          price: moneyOf(plan.price),
          every: { length: plan.billing_period_length, unit: plan.billing_period_unit },
        })),
    );
}

const ITEMS = {
  now: { item_type: 'MEM_RECUR_UP', from: 'upgrade_from_customer_membership' },
  later: { item_type: 'MEM_RECUR_DOWN', from: 'downgrade_from_customer_membership' },
} as const;

/** Puts the change into a checkout, and returns its id. */
const fill = (
  as: Acting,
  { id, customer }: { readonly id: number; readonly customer: number },
  { membership, plan }: Choice,
  when: When,
): Promise<string> =>
  fillCheckout(as.ask, as.people![0].id, [
    { item_type: ITEMS[when].item_type, customer, membership, plan, [ITEMS[when].from]: id },
  ]);

/** Ends the transaction of a preview without keeping anything of it. */
class Previewed extends Error {
  readonly preview: Preview;
  constructor(preview: Preview) {
    super('a preview keeps nothing');
    this.preview = preview;
  }
}

/** Returns the consequences of a change: makes it in a checkout that is paid by a dry run, and takes all of it back. */
async function previewOf(desk: Desk, turn: Asker, choice: Choice, when: When): Promise<Preview> {
  try {
    return await acting(desk, turn, async (as) => {
      const id = await fill(as, await changing(turn, as), choice, when);
      const [processor] = (await as.ask('GET /payment_processors', { query: { fields: 'id', page_size: 1 } })).results;
      const paid = await as.ask('POST /checkouts/{id}/pay', {
        params: { id },
        query: { dry_run: true },
        body: { payment_processor: processor?.id ?? null },
      });
      const { effects } = paid;
      const [ends] = effectsOf(effects, 'membership_upgraded', 'downgrade_scheduled');
      const { credit, amount_due: due } = await as.ask('GET /checkouts/{id}', {
        params: { id },
        query: { fields: 'credit,amount_due' },
      });
      throw new Previewed({
        when,
        choice,
        lastDay: textIn(ends.detail, 'last_day'),
        left: when === 'now' ? numberIn(ends.detail, 'credit_minor') : 0,
        credit: moneyOf(credit),
        due: moneyOf(due),
        follows: (await listConsequences(as.ask, effects)).filter(({ what }) => what.startsWith('booking')),
      });
    });
  } catch (error) {
    if (error instanceof Previewed) return error.preview;
    throw error;
  }
}

/** A plan that can't be chosen has no preview; its own page says why. @throws any other error */
function refused(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null;
  throw error;
}

const askedPlan = (choices: readonly Choice[], asked: URLSearchParams): Choice | undefined =>
  choices.find(({ plan }) => String(plan) === asked.get('plan'));

async function show(desk: Desk, turn: Turn<AccountWritten>, draft: Draft): Promise<PageAnswer> {
  const { visit } = turn;
  const found = await acting(desk, turn, (as) => changing(turn, as));
  const choice = askedPlan(found.choices, visit.query);
  if (choice === undefined || draft !== EMPTY) {
    const previews: Preview[] = [];
    for (const one of found.choices.slice(0, MAX_PREVIEWS)) {
      const preview = await previewOf(desk, turn, one, 'now').catch(refused);
      if (preview) previews.push(preview);
    }
    return choicesPage(visit, found, previews, draft);
  }
  const when = visit.query.get('when');
  try {
    return changePage(visit, found, await previewOf(desk, turn, choice, isWhen(when) ? when : 'now'));
  } catch (error) {
    return choicesPage(visit, found, [], refusedDraft(desk, visit, EMPTY, error));
  }
}

/** Begins the checkout of the change. */
async function begin(desk: Desk, turn: Turn<AccountWritten>): Promise<PageAnswer> {
  const { sent } = turn.visit;
  const when = sent.get('when');
  const address = await acting(desk, turn, async (as) => {
    const found = await changing(turn, as);
    const choice = askedPlan(found.choices, sent);
    if (choice === undefined || !isWhen(when)) throw notFound();
    return pageOfCheckout(as.ask, await fill(as, found, choice, when));
  });
  return seeOther(address);
}
