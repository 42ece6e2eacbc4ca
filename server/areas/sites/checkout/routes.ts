/** Addresses of a checkout's pages, and their forms. Every form leads back to the page, which shows the state. */
import { AT_DESK, fieldsOf, openPage, termsKey, type SentForm } from './views/checkout.ts';
import { AtCheckout, type Eyes } from './at-checkout.ts';
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
import { Failure, translate } from '../../../kernel/api/refusals.ts';
import { type Business, at, memberOf, received, type At, type Desk, withReturn } from '../frame/index.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { goOn, seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { payingFor, type PayingWritten } from './messages.ts';
import type { CheckoutView } from './view.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export function checkoutRoutes(desk: Desk): PageRoute<Business>[] {
  const checkout = new AtCheckout(desk);

  /** Answers with the checkout; a missing one and somebody else's look the same. */
  const found = async (
    visit: At,
    ticket: string,
    act: (eyes: Eyes, view: CheckoutView, written: PayingWritten) => PageAnswer | Promise<PageAnswer>,
  ): Promise<PageAnswer> => {
    const member = await memberOf(desk, visit);
    const written = payingFor(visit, member !== null);
    const one = await checkout.read(visit, member, ticket);
    if (one.kind === 'log_in') return seeOther(withReturn(at(visit.site, 'log-in'), checkoutPath(visit.site, ticket)));
    return one.kind === 'found' ? act(one.eyes, one.view, written) : noCheckoutPage(visit, written);
  };

  /** Handles a form of an open checkout: refusals are shown on the page, next to the form that was sent. */
  const form = (
    name: string,
    act: (visit: At, eyes: Eyes, view: CheckoutView, written: PayingWritten) => Promise<PageAnswer | SentForm | void>,
  ): PageRoute<Business> => ({
    path: `/{provider_id}/checkout/${name}`,
    charged: 'page',
    get: async ({ site, query }) => {
      const ticket = query.get('ticket');
      return seeOther(ticket === null ? at(site, 'profile') : checkoutPath(site, ticket));
    },
    post: async (visit) => {
      const ticket = readForm(ticketOnly, visit.sent).values?.ticket ?? '';
      const here = checkoutPath(visit.site, ticket);
      return found(visit, ticket, async (eyes, view, written) => {
        if ((view.status !== 'open' || view.calledOff !== null) && name !== 'cancel') return seeOther(here);
        const answer = await act(visit, eyes, view, written);
        if (answer === undefined) return seeOther(here);
        if (!('form' in answer)) return answer;
        // A refusal may have changed the price, or ended the checkout.
        return found(visit, ticket, (_eyes, now) =>
          now.status === 'open' && now.calledOff === null ? openPage(visit, written, now, answer) : seeOther(here),
        );
      });
    },
  });

  return [
    {
      path: '/{provider_id}/checkout',
      charged: 'page',
      get: (visit) => {
        const ticket = visit.query.get('ticket') ?? '';
        return found(visit, ticket, async (eyes, view, written) =>
          // Nobody who has paid has to wait for the processor's webhook.
          view.status === 'pending' && (await checkout.hurry(visit, eyes))
            ? found(visit, ticket, (_eyes, now) => shown(visit, written, now))
            : shown(visit, written, view),
        );
      },
    },
    {
      path: '/{provider_id}/checkout/invoice',
      charged: 'page',
      get: (visit) =>
        found(visit, visit.query.get('ticket') ?? '', async (eyes, { invoice }) => {
          if (!invoice) throw notFound();
          return toKeep(await checkout.invoice(visit, eyes, invoice));
        }),
    },
    form('code', async (visit, eyes, _view, { say }) => {
      const { values, draft } = readForm(codeFields(say), visit.sent, say);
      if (!values) return { form: 'code', draft };
      return refused(desk, visit, 'code', draft, checkout.change(visit, eyes, { discount_code: values.code }), 'code');
    }),
    form('code/remove', (visit, eyes) =>
      refused(desk, visit, 'pay', EMPTY, checkout.change(visit, eyes, { discount_code: null })),
    ),
    form('credit', async (visit, eyes) => {
      const use_account_credit = readForm(creditFields, visit.sent).values?.use === 'yes';
      return refused(desk, visit, 'pay', EMPTY, checkout.change(visit, eyes, { use_account_credit }));
    }),
    form('cancel', async (visit, eyes) => {
      // If it has been paid in the meantime, the page shows that.
      await refused(desk, visit, 'pay', EMPTY, checkout.cancel(visit, eyes));
    }),
    form('pay', (visit, eyes, view, written) => pay(desk, checkout, visit, eyes, view, written)),
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
  visit: At,
  eyes: Eyes,
  view: CheckoutView,
  written: PayingWritten,
): Promise<PageAnswer | SentForm> {
  const { say } = written;
  const here = checkoutPath(visit.site, view.ticket);
  const fields = fieldsOf(visit, written, view);
  const { values, draft } = readForm(fields, visit.sent, say);
  const wrong = (name: string, why: string, status?: number): SentForm => ({
    form: 'pay',
    draft: withError(draft, name, why, status),
  });
  if (draft.kept.due !== String(view.sums.due) || draft.kept.terms !== termsKey(view.terms))
    return wrong('', say('wrong.changed'), 409);
  if (!values) return { form: 'pay', draft };
  if (view.terms.length > 0 && !values.agree) return wrong('agree', say('wrong.agree'));
  const way = view.ways.find((one) => wayKey(one) === values.way) ?? null;
  if (view.sums.due > 0 && way === null && !(view.desk && values.way === AT_DESK))
    return wrong('way', say('wrong.way'));
  let next: string | null = null;
  const sent = await refused(
    desk,
    visit,
    'pay',
    draft,
    checkout
      .pay(visit, eyes, view, { way, save: values.save ?? false, outcome: values.outcome, here })
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
    const { message, status } = received({ registry }, visit, problem);
    return { form, draft: withError(draft, field, message, status) };
  }
}
