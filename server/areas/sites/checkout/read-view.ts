/** Data for the pages of a checkout, read as the person who looks at it. */
import { textIn, type Words, type EventKind } from '../../../kernel/base/values/words.ts';
import { moneyOf, type WireMoney } from '../../../kernel/base/values/money.ts';
import { creditOf } from '../../money/ledger/index.ts';
import { eventPath } from '../../scheduling/schedule/index.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { previewDelivery } from '../../commerce/gift-cards/index.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { policiesOfCheckout } from '../../agreements/policies/index.ts';
import { paysAtDesk } from '../../platform/providers/index.ts';
import { afterwards } from './afterwards.ts';
import { shownTo, type Ask, type Entry, nowAt, type At } from '../frame/index.ts';
import type { CheckoutView, Line, SentMail, Terms, Way } from './view.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

const I = 'checkout_items';
const ITEM =
  `${I}.item_type,${I}.description,${I}.quantity,${I}.unit_price,${I}.recurring_price,${I}.result,${I}.customer.id,${I}.customer.first_name,${I}.membership.id,${I}.membership.description` as const;
const RUN = `${I}.course_date_series.name,${I}.course_date_series.status` as const;
const PLAN =
  `${I}.plan.id,${I}.plan.billing_period_length,${I}.plan.billing_period_unit,${I}.plan.committed_billing_periods,${I}.plan.commitment_expiration_scheme,${I}.plan.cancellation_notice_days,${I}.plan.fixed_billing_day_of_month,${I}.plan.fixed_billing_day_of_week` as const;
const EVENT =
  `${I}.event.id,${I}.event.name,${I}.event.schedule_type,${I}.event.status,${I}.event.starts_at,${I}.event.ends_at,${I}.event.timezone,${I}.event.venue.name` as const;
const SUMS =
  'status,discount_code,discount_code_error,use_account_credit,return_to,list_price,discount,pre_tax_price,fee_line_items,total_price,credit,next_action,payment_error,payment.status,expires_at,invoice.id,invoice.number,invoice.outstanding_amount';
const FIELDS = `${SUMS},${ITEM},${PLAN},${RUN},${EVENT}` as const;
const EXPAND =
  'invoice,payment,checkout_items.customer,checkout_items.membership,checkout_items.plan,checkout_items.course_date_series,checkout_items.event.venue';

type Item = Entry<'GET /checkouts/{id}', typeof FIELDS, typeof EXPAND>['checkout_items'][number];

interface Around {
  readonly ask: Ask;
  /** calls the interface as the person who reads the terms */
  readonly read: Ask;
  readonly tx: Transaction;
  readonly visit: At;
  readonly ticket: string;
  readonly id: number;
  readonly payer: number;
  readonly known: boolean;
  readonly viewer: Viewer;
  /** of the person who reads the page */
  readonly words: Words;
}

export async function readView(around: Around): Promise<CheckoutView> {
  const { ask, read, tx, visit, ticket, id, payer, known, viewer, words } = around;
  const { site } = visit;
  const now = nowAt(visit);
  const { currency } = site.tenant;
  const minor = ({ string }: WireMoney): number => minorOf('price', string, currency);
  // Items that staff sell may be hidden from customers elsewhere; in their own checkout they are visible.
  const found = await read('GET /checkouts/{id}', { params: { id }, query: { fields: FIELDS, expand: EXPAND } });
  const items = found.checkout_items;
  const until = Date.parse(found.expires_at);
  const isOpen = found.status === 'open' && until > now;
  const sums = {
    listPrice: minor(found.list_price),
    discount: minor(found.discount),
    includedTaxes: minor(found.list_price) - minor(found.discount) - minor(found.pre_tax_price),
    fees: found.fee_line_items.map((fee) => ({ name: fee.description, amount: minor(fee.amount) })),
    total: minor(found.total_price),
    credit: minor(found.credit),
    due: minor(found.total_price) - minor(found.credit),
  };
  const where = { tx, providerId: site.id };
  const mails = isOpen ? await mailsOf(around, items, now) : new Map<number, SentMail>();
  const event = items.find((item) => item.event)?.event ?? null;
  const { back, again } = afterwards(visit, {
    returnTo: found.return_to,
    status: found.status === 'open' && !isOpen ? 'expired' : found.status,
    results: items.map((item) => item.result),
    event: event && { path: eventPath(site.id, event.id), kind: event.schedule_type as EventKind },
  });
  return {
    ticket,
    calledOff: calledOffOf(items),
    status: found.status === 'open' && !isOpen ? 'expired' : found.status,
    lines: items.map((item, i) =>
      lineOf(item, { unit: minor(item.unit_price), me: viewer.customerId, mail: mails.get(i) ?? null }),
    ),
    sums,
    code: found.discount_code === null ? null : { text: found.discount_code, refused: found.discount_code_error },
    codes: sums.listPrice > 0 && items.some((item) => item.item_type !== 'ACCT_ENTRY'),
    credit: isOpen
      ? { has: await creditOf(where, payer), used: found.use_account_credit && sums.credit > 0 }
      : { has: 0, used: false },
    terms: isOpen ? await termsOf(read, items) : [],
    policies: isOpen ? await policiesOfCheckout({ ...where, now }, payer) : [],
    ways: isOpen && sums.due > 0 ? await waysOf(ask, known ? payer : null, now) : [],
    desk: isOpen && (await paysAtDesk(where)) && (known || !(await isGuest(tx, site.id, payer))),
    until,
    failed:
      isOpen && found.payment_error !== null
        ? { why: textIn(words, found.payment_error), givenBack: found.payment?.status === 'succeeded' }
        : null,
    payAt: found.next_action?.url ?? null,
    invoice: found.invoice && {
      id: found.invoice.id,
      number: found.invoice.number,
      due: minor(shownTo(found.invoice.outstanding_amount)),
    },
    back,
    again,
  };
}

/** Classes and course runs can be cancelled while somebody is about to pay for them. */
const calledOffOf = (items: readonly Item[]): string | null =>
  items
    .flatMap(({ event, course_date_series: run }) => [event, run])
    .find((one) => one !== null && one.status === 'cancelled')?.name ?? null;

/**
 * Returns true for a guest. An unpaid place is kept only for people whose address is known to be theirs, so guests
 * don't pay at the desk.
 */
const isGuest = async (tx: Transaction, providerId: number, customer: number): Promise<boolean> =>
  (await tx.one(sql`SELECT FROM customer WHERE provider_id = ${providerId} AND id = ${customer} AND is_guest`)) !==
  undefined;

const GIFT = `${I}.recipient_email,${I}.recipient_name,${I}.message,${I}.deliver_on_date,${I}.unit_price` as const;

/** Returns the emails that are sent with gift cards, by the position of the item. */
async function mailsOf(
  { read, id, tx, visit, payer }: Around,
  items: readonly Item[],
  now: number,
): Promise<ReadonlyMap<number, SentMail>> {
  const mails = new Map<number, SentMail>();
  if (items.every((item) => item.item_type !== 'GIFT_CARD')) return mails;
  const { id: providerId, tenant } = visit.site;
  const work = { tx, providerId, tenant, installation: { baseUrl: visit.baseUrl } };
  const found = await read('GET /checkouts/{id}', { params: { id }, query: { fields: GIFT, expand: I } });
  for (const [i, item] of found.checkout_items.entries()) {
    const { recipient_email: to, recipient_name: name, message, deliver_on_date: on, unit_price } = item;
    if (!to || !name) continue;
    const card = {
      purchaser_id: payer,
      recipient_name: name,
      message,
      amount_minor: minorOf('unit_price', unit_price.string, tenant.currency),
      on: on ?? wallAt(now, tenant.zone).date,
    };
    mails.set(i, { to, name, on, ...(await previewDelivery(work, card)) });
  }
  return mails;
}

/** Returns a line of the checkout. `unit`: price of one; `me`: the reader, null if unknown. */
function lineOf(
  item: Item,
  { unit, me, mail }: { readonly unit: number; readonly me: number | null; readonly mail: SentMail | null },
): Line {
  const { event, quantity, customer, plan, recurring_price: recurring, item_type: type } = item;
  const isSpot = event !== null;
  return {
    name: isSpot ? event.name : item.description,
    forWhom: !customer || customer.id === me ? null : { name: customer.first_name ?? '' },
    when: isSpot ? { from: Date.parse(event.starts_at), to: Date.parse(event.ends_at), zone: event.timezone } : null,
    where: event?.venue?.name ?? null,
    paidWithMembership: isSpot && type.endsWith('_MEM'),
    several: quantity > 1 ? { quantity, unit } : null,
    renews:
      plan && recurring && type.startsWith('MEM_')
        ? { price: moneyOf(recurring), n: plan.billing_period_length, unit: plan.billing_period_unit, plan }
        : null,
    about: type.startsWith('MEM_') ? item.membership?.description || null : null,
    mail,
    amount: unit * quantity,
    isSpot,
    membership: type.startsWith('MEM_') ? (item.membership?.id ?? null) : null,
  };
}

/** Returns the terms of each membership: those of its plan if there are any, else those of the whole membership. */
async function termsOf(read: Ask, items: readonly Item[]): Promise<Terms[]> {
  const terms: Terms[] = [];
  for (const { membership, plan, description, customer, item_type: type } of items) {
    if (!membership || !customer || !type.startsWith('MEM_')) continue;
    const { results } = await read('GET /membership_terms', {
      query: { membership: membership.id, fields: 'id,version,base_terms,plan' },
    });
    const written = results.filter((one) => one.version > 0);
    const found = written.find((one) => plan && one.plan === plan.id) ?? written.find((one) => one.plan === null);
    if (found && !terms.some((one) => one.id === found.id && one.customer === customer.id))
      terms.push({
        id: found.id,
        version: found.version,
        of: description,
        text: found.base_terms,
        customer: customer.id,
      });
  }
  return terms;
}

/**
 * Returns the payment options, without processors whose payments staff record at their desk. `payer`: null if nobody
 * knows who reads the page.
 */
async function waysOf(ask: Ask, payer: number | null, now: number): Promise<Way[]> {
  const { results } = await ask('GET /payment_processors', {
    query: { is_enabled: true, fields: 'id,name,kind,is_recorded_by_staff,saves_payment_methods', page_size: 20 },
  });
  const entered = results
    .filter((one) => !one.is_recorded_by_staff)
    .map((one): Way => {
      const saves = payer !== null && one.saves_payment_methods;
      return { id: one.id, method: null, name: one.name, test: one.kind === 'sandbox', saves };
    });
  return payer === null ? entered : [...(await savedOf(ask, payer, entered, now)), ...entered];
}

const MAX_SAVED = 10;

/** Returns the payer's saved methods of these processors, newest first, without expired ones. */
async function savedOf(ask: Ask, payer: number, entered: readonly Way[], now: number): Promise<Way[]> {
  if (entered.length === 0) return [];
  const { results } = await ask('GET /payment_methods', {
    query: {
      customer: payer,
      payment_processor: entered.map(({ id }) => id).join(),
      fields: 'id,long_description,payment_processor,expiration_month,expiration_year',
      sort: '-id',
      page_size: MAX_SAVED,
    },
  });
  return results
    .filter(({ expiration_year: year, expiration_month: month }) => !month || !year || now < Date.UTC(year, month))
    .map(({ id, long_description: name, payment_processor }): Way => {
      const { id: processor, test } = entered.find((one) => one.id === payment_processor)!;
      return { id: processor, method: id, name, test, saves: false };
    });
}
