/** Saving a card or an account without a payment: the ways to do so, the form, and what became of it. */
import {
  acting,
  askAlone,
  reading,
  refusal,
  unlessMissing,
  wordsFor,
  type Ask,
  type Asker,
  type At,
  type Desk,
} from '../../frame/index.ts';
import { businessTime } from '../../../../kernel/work/unit/work.ts';
import { goOn, seeOther, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../../kernel/base/problem.ts';
import { pollSetup } from '../../../money/payments/index.ts';
import { textIn } from '../../../../kernel/base/values/words.ts';
import type { NewCard, SavingWay } from './views.ts';

const SETUP = 'payment_method_setup';

/** Returns the ways in which people can save a card. */
export async function savingWays(ask: Ask): Promise<SavingWay[]> {
  const { results } = await ask('GET /payment_processors', {
    query: { is_enabled: true, fields: 'id,name,kind,saves_payment_methods', page_size: 20 },
  });
  return results
    .filter((one) => one.saves_payment_methods)
    .map(({ id, name, kind }) => ({ id, name, test: kind === 'sandbox' }));
}

/**
 * Starts to save a card with the way that the form names, and leads to the page of the processor. `here`: the page that
 * the browser returns to; `subscription`: the plan that is charged to the card.
 */
export async function startNewCard(
  desk: Desk,
  turn: Asker,
  { here, subscription }: { here: string; subscription: number | null },
): Promise<PageAnswer> {
  const { visit } = turn;
  const found = await acting(desk, turn, async ({ ask, people, viewer }) => {
    const way = (await savingWays(ask)).find(({ id }) => id === idIn(visit.sent.get('way')));
    return people && way ? { customer: people[0].id, way, viewer } : null;
  });
  if (!found) throw notFound();
  const { id, action_url: url } = await askAlone(
    desk,
    visit,
    found.viewer,
  )('POST /payment_method_setups', {
    query: { fields: 'id,action_url' },
    body: {
      customer: found.customer,
      payment_processor: found.way.id,
      ...(subscription !== null && { payment_subscription: subscription }),
      // The sandbox shows a page, like any other processor.
      ...(found.way.test && { scenario: 'extra_step' }),
      return_to: here,
    },
  });
  return url === null ? seeOther(`${here}?${SETUP}=${id}`) : goOn(url);
}

/** Returns what became of the card with which the browser returns; null: it returns with none. */
export async function newCardOf(desk: Desk, asker: Asker): Promise<NewCard | null> {
  const { visit } = asker;
  if (!visit.query.has(SETUP)) return null;
  const id = idIn(visit.query.get(SETUP));
  const read = () =>
    reading(desk, asker, ({ ask }) =>
      ask('GET /payment_method_setups/{id}', { params: { id }, query: { fields: 'status,failure' } }).catch(
        unlessMissing,
      ),
    );
  let setup = await read();
  if (setup && setup.status !== 'succeeded' && setup.status !== 'failed') {
    // Nobody who has entered a card has to wait for the processor's webhook.
    const { door, registry, installation } = desk;
    const { tenant } = visit.site;
    await pollSetup({ db: door.db, registry, installation, tenant, now: businessTime(tenant, visit.now) }, id);
    setup = await read();
  }
  if (!setup) return null;
  return { status: setup.status, failure: setup.failure && textIn(wordsFor(desk.registry, visit), setup.failure) };
}

/** Returns the sentence about a refusal; rethrows errors that are none. */
export function refusedCard(desk: Desk, visit: At, error: unknown): NewCard {
  if (!(error instanceof Problem) || error.status === 404) throw error;
  return { status: 'failed', failure: refusal(desk, visit, error) };
}
