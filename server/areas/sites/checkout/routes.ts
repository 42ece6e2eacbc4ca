/** Addresses of a checkout's pages, and their forms. Every form leads back to the page, which shows the state. */
import { AT_DESK, fieldsOf, openPage, termsKey, type SentForm } from './views/checkout.ts';
import { AtCheckout, type Reached } from './at-checkout.ts';
import {
  calledOffPage,
  cancelledPage,
  expiredPage,
  noCheckoutPage,
  pendingPage,
  receiptPage,
} from './views/checkout-states.ts';
import { checkoutPath } from './path.ts';
import { codeFields, creditFields, ticketOnly, wayKey } from './views/checkout-fields.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { Failure, translate } from '../../../kernel/api/requests/refusals.ts';
import {
  at,
  memberOf,
  pageFlow,
  received,
  withReturn,
  type At,
  type Business,
  type Desk,
  type Outcome,
} from '../frame/index.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { goOn, seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { payingFor, type PayingWritten } from './messages.ts';
import type { CheckoutView } from './view.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

/** A request of the page of a checkout that the person may see. */
interface Paying {
  readonly visit: At;
  readonly written: PayingWritten;
  readonly reached: Reached;
  readonly view: CheckoutView;
}

const ticketIn = ({ query, sent }: At): string =>
  readForm(ticketOnly, sent).values?.ticket || query.get('ticket') || '';

const isOpen = ({ status, calledOff }: CheckoutView): boolean => status === 'open' && calledOff === null;

/**
 * Reserves the places of a guest's checkout that costs nothing until the address is confirmed. Returns the path of the
 * page that says so; null if the checkout can be completed immediately.
 */
export type ConfirmFirst = (desk: Desk, visit: At, checkout: number) => Promise<string | null>;

/** `confirmFirst`: from the guests, which come later. */
export function checkoutRoutes(desk: Desk, confirmFirst: ConfirmFirst): PageRoute<Business>[] {
  const checkout = new AtCheckout(desk);

  /** Finds the checkout; a missing one and somebody else's look the same. */
  const find = async (visit: At): Promise<Paying | PageAnswer> => {
    const [member, ticket] = [await memberOf(desk, visit), ticketIn(visit)];
    const written = payingFor(visit, member !== null);
    const one = await checkout.read(visit, member, ticket);
    if (one.kind === 'log_in') return seeOther(withReturn(at(visit.site, 'log-in'), checkoutPath(visit.site, ticket)));
    return one.kind === 'found'
      ? { visit, written, reached: one.reached, view: one.view }
      : noCheckoutPage(visit, written);
  };
  const again = async (visit: At, show: (now: Paying) => PageAnswer): Promise<PageAnswer> => {
    const now = await find(visit);
    return 'reached' in now ? show(now) : now;
  };

  /** Handles a form of an open checkout. Without a message, the page shows the new state. */
  const form =
    (act: (paying: Paying) => Promise<PageAnswer | SentForm | void>, always = false) =>
    async (paying: Paying): Promise<Outcome<SentForm>> => {
      const here = checkoutPath(paying.visit.site, paying.view.ticket);
      const said = always || isOpen(paying.view) ? await act(paying) : undefined;
      if (said === undefined) return here;
      return 'form' in said ? { again: said } : said;
    };
  const change = (
    { visit, reached }: Paying,
    body: Parameters<AtCheckout['change']>[2],
    draft: Draft = EMPTY,
    name: SentForm['form'] = 'pay',
  ) => refused(desk, visit, name, draft, checkout.change(visit, reached, body), name === 'pay' ? '' : name);

  return [
    ...pageFlow<unknown, SentForm, Paying, Paying>({
      path: '/{provider_id}/checkout',
      texts: () => null,
      here: (visit) => {
        const ticket = ticketIn(visit);
        return ticket === '' ? at(visit.site, 'profile') : checkoutPath(visit.site, ticket);
      },
      look: find,
      send: find,
      show: async ({ visit, written, reached, view }, sent) => {
        // A refusal may have changed the price, or ended the checkout.
        if (sent)
          return again(visit, ({ view: now }) =>
            isOpen(now) ? openPage(visit, written, now, sent) : seeOther(checkoutPath(visit.site, now.ticket)),
          );
        // Nobody who has paid has to wait for the processor's webhook.
        return view.status === 'pending' && (await checkout.hurry(visit, reached))
          ? again(visit, (now) => shown(visit, written, now.view))
          : shown(visit, written, view);
      },
      forms: {
        code: form(async (paying) => {
          const { say } = paying.written;
          const { values, draft } = readForm(codeFields(say), paying.visit.sent, say);
          return values ? change(paying, { discount_code: values.code }, draft, 'code') : { form: 'code', draft };
        }),
        'code/remove': form((paying) => change(paying, { discount_code: null })),
        credit: form((paying) =>
          change(paying, { use_account_credit: readForm(creditFields, paying.visit.sent).values?.use === 'yes' }),
        ),
        // If it has been paid in the meantime, the page shows that.
        cancel: form(async ({ visit, reached }) => {
          await refused(desk, visit, 'pay', EMPTY, checkout.cancel(visit, reached));
        }, true),
        pay: form((paying) => pay(desk, checkout, paying, confirmFirst)),
      },
    }),
    {
      path: '/{provider_id}/checkout/invoice',
      charged: 'page',
      get: async (visit) => {
        const found = await find(visit);
        if (!('reached' in found)) return found;
        const { invoice } = found.view;
        if (!invoice) throw notFound();
        return toKeep(await checkout.invoice(visit, found.reached, invoice));
      },
    },
  ];
}

function shown(visit: At, written: PayingWritten, view: CheckoutView): PageAnswer {
  switch (view.status) {
    case 'open':
      return view.calledOff === null ? openPage(visit, written, view) : calledOffPage(visit, written, view);
    case 'pending':
      return pendingPage(visit, written, view, looksOf(visit));
    case 'completed':
      return receiptPage(visit, written, view);
    case 'expired':
      return expiredPage(visit, written, view);
    case 'cancelled':
      return cancelledPage(visit, written, view);
  }
}

/** Returns how often the page has reloaded itself. */
const looksOf = ({ query }: At): number =>
  /^\d{1,3}$/.test(query.get('looks') ?? '') ? Number(query.get('looks')) : 0;

async function pay(
  desk: Desk,
  checkout: AtCheckout,
  { visit, reached, view, written }: Paying,
  confirmFirst: ConfirmFirst,
): Promise<PageAnswer | SentForm> {
  const { say } = written;
  const here = checkoutPath(visit.site, view.ticket);
  const fields = fieldsOf(visit, written, view);
  const { values, draft } = readForm(fields, visit.sent, say);
  const wrong = (name: string, why: string, status?: number): SentForm => ({
    form: 'pay',
    draft: withError(draft, name, why, status),
  });
  if (draft.kept.due !== String(view.sums.due) || draft.kept.terms !== termsKey(view))
    return wrong('', say('wrong.changed'), 409);
  if (!values) return { form: 'pay', draft };
  if (view.terms.length > 0 && !values.agree) return wrong('agree', say('wrong.agree'));
  if (view.policies.some(({ asked }) => asked) && !values.policies) return wrong('policies', say('wrong.policies'));
  const way = view.ways.find((one) => wayKey(one) === values.way) ?? null;
  if (view.sums.due > 0 && way === null && !(view.desk && values.way === AT_DESK))
    return wrong('way', say('wrong.way'));
  const unconfirmed = view.sums.due === 0 ? await confirmFirst(desk, visit, reached.id) : null;
  if (unconfirmed !== null) return seeOther(unconfirmed);
  let next: string | null = null;
  const sent = await refused(
    desk,
    visit,
    'pay',
    draft,
    checkout
      .pay(visit, reached, view, { way, save: values.save ?? false, outcome: values.outcome, here })
      .then((url) => (next = url)),
  );
  if (sent) return sent;
  // The processor's page is on another site: see `goOn`.
  return next === null ? seeOther(here) : goOn(next);
}

/** Shows refusals of the interface next to the form, and throws all other errors. */
async function refused(
  { registry }: Desk,
  visit: At,
  form: SentForm['form'],
  draft: Draft,
  done: Promise<unknown>,
  field = '',
): Promise<SentForm | undefined> {
  try {
    await done;
    return undefined;
  } catch (error) {
    const problem = translate(error, registry.constraints);
    if (problem instanceof Failure) throw error;
    const { message, status, code } = received({ registry }, visit, problem);
    return { form, draft: withError(draft, field, message, status), code };
  }
}
