/** Choosing the payment method that a recurring plan is charged to. */
import {
  acting,
  at,
  memberPage,
  refusedDraft,
  shownTo,
  withDone,
  writtenFor,
  type AccountWritten,
  type Acting,
  type Asker,
  type At,
  type Business,
  type Desk,
} from '../frame/index.ts';
import { cardPage, type CardView } from './views/cards.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { methodsOf } from './payments.ts';
import { newCardOf, savingWays, startNewCard } from './new-card/new-card.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const cardPath = (site: Business, customerMembership: number): string =>
  at(site, `profile/memberships/${customerMembership}/card`);

const here = ({ site, params }: At): string => cardPath(site, idIn(params.customermembership_id));

export const cardRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<AccountWritten, Draft>(desk, {
    path: '/{provider_id}/profile/memberships/{customermembership_id}/card',
    texts: writtenFor,
    here,
    show: async (turn, draft = EMPTY) => {
      const added = await newCardOf(desk, turn);
      return cardPage(turn.visit, { ...(await acting(desk, turn, (as) => charging(turn, as))), added }, draft);
    },
    forms: {
      '': async (turn) => {
        const { visit } = turn;
        await acting(desk, turn, async (as) => {
          const { subscription } = await charging(turn, as);
          await as.ask('PATCH /payment_subscriptions/{id}', {
            params: { id: subscription },
            body: { payment_method: idIn(visit.sent.get('method')) },
          });
        });
        return withDone(visit.path, 'card-chosen');
      },
      add: async (turn) => {
        const { subscription } = await acting(desk, turn, (as) => charging(turn, as));
        return startNewCard(desk, turn, { here: here(turn.visit), subscription });
      },
    },
    refused: ({ visit }, error) => refusedDraft(desk, visit, EMPTY, error),
  });

/**
 * Returns how the plan in the address is paid.
 * @throws Problem 404 unless it is a recurring plan of the person, or of somebody whom they act for
 */
async function charging(
  { visit }: Asker,
  { ask, people }: Acting,
): Promise<Omit<CardView, 'added'> & { subscription: number }> {
  const id = idIn(visit.params.customermembership_id);
  const { results } = await ask('GET /customer_memberships', {
    query: { ids: id, fields: 'id,name,customer,next_billing_date,billed_price,payment_subscription' },
  });
  const [one] = results;
  const owner = people?.find((person) => person.id === one?.customer);
  const subscription = one && shownTo(one.payment_subscription);
  if (!people || !owner || !subscription) throw notFound();
  const { payment_method: charged, unpaid_invoice: unpaid } = await ask('GET /payment_subscriptions/{id}', {
    params: { id: subscription },
    query: { fields: 'payment_method,unpaid_invoice' },
  });
  const { currency } = visit.site.tenant;
  return {
    subscription,
    name: one.name,
    forWhom: owner.name,
    next:
      one.next_billing_date === null
        ? null
        : {
            on: one.next_billing_date,
            price: { minor: minorOf('billed_price', shownTo(one.billed_price).string, currency), currency },
          },
    charged,
    unpaid: unpaid !== null,
    methods: await methodsOf(ask, people),
    ways: await savingWays(ask),
    action: `${cardPath(visit.site, id)}/add`,
  };
}
