/** A processor without money: it plays the scenario of a payment, and records all requests. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { inBook, type Book, type Charge, type Refund } from './book.ts';
import { scenarioOf } from './scenarios.ts';
import { TYPES } from '../processor.ts';
import type {
  Message,
  Outcome,
  PaymentRequest,
  ProcessorContext,
  RefundOutcome,
  RefundRequest,
  RemoteProcessor,
  SetupRequest,
} from '../processor.ts';

export const CANCELLED = 'The payment was cancelled.';
export const NOT_SAVED = 'You cancelled, so no card was saved.';
const PREFIX = 'sandbox_charge_';
/** Suffix of the tokens of cards whose payments are declined. */
const DECLINED = '_declined';

/** Returns the request with the scenario to play: the one that was sent, else that of its card. */
const playing = (p: PaymentRequest): PaymentRequest =>
  p.scenario === null && p.methodToken?.endsWith(DECLINED) ? { ...p, scenario: 'declined' } : p;

const sign = ({ settings }: Pick<ProcessorContext, 'settings'>, what: string | Buffer): string =>
  createHmac('sha256', settings.signing_secret).update(what).digest('hex');

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Header of the signature, which real processors send too. */
export const SIGNATURE = 'sandbox-signature';
export const signatureOf = (c: ProcessorContext, body: string | Buffer): string => sign(c, body);

/** Returns a token for the page of a charge, so that nobody can guess its address. */
const pageToken = (c: ProcessorContext, charge: number): string => sign(c, `page:${charge}`).slice(0, 32);
export const isPageToken = (c: ProcessorContext, charge: number, token: string): boolean =>
  same(pageToken(c, charge), token);

function outcomeOf(c: ProcessorContext, charge: Charge): Outcome {
  return {
    state: charge.state,
    external: `${PREFIX}${charge.id}`,
    ...(charge.state === 'action_required' && {
      url: `${c.baseUrl}/sandbox/${c.provider}/${c.processor}/${charge.id}/${pageToken(c, charge.id)}`,
    }),
    ...(charge.why !== null && { why: charge.why }),
    ...(charge.state === 'succeeded' &&
      charge.keeps_method && {
        method: {
          type: 'credit_card',
          token: `sandbox_card_${charge.id}${scenarioOf(charge.scenario).declinesLater ? DECLINED : ''}`,
          ownerToken: null,
          brand: 'Sandbox card',
          holder: charge.holder,
          lastFour: '4242',
          expirationMonth: 12,
          expirationYear: new Date(c.now).getUTCFullYear() + 3,
        },
      }),
  };
}

/** Returns true if a card is saved and nothing is charged. */
export const savesOnly = ({ amount_minor }: Pick<Charge, 'amount_minor'>): boolean => amount_minor === 0;

const refundOutcome = (refund: Refund): RefundOutcome => ({
  state: refund.state,
  external: `sandbox_refund_${refund.id}`,
  ...(refund.state === 'failed' && { why: 'The account that paid no longer exists.' }),
});

/** Sends a message about the current state of the charge, and triggers what follows from success. */
export async function reportCharge(c: ProcessorContext, book: Book, charge: Charge): Promise<void> {
  const [about, outcome] = [{ key: charge.key }, outcomeOf(c, charge)];
  if (savesOnly(charge)) return book.send(charge, `setup.${charge.state}`, { about, setup: outcome });
  book.send(charge, `charge.${charge.state}`, { about, payment: outcome });
  if (charge.state === 'succeeded' && scenarioOf(charge.scenario).disputed) await dispute(c, book, charge, 'open');
}

export async function dispute(c: ProcessorContext, book: Book, charge: Charge, state: 'open' | 'lost' | 'won') {
  await book.dispute(charge, state);
  book.send(charge, `dispute.${state}`, {
    about: { external: `${PREFIX}${charge.id}` },
    dispute: {
      external: `sandbox_dispute_${charge.id}`,
      state,
      amount: charge.amount_minor,
      reason: 'The customer says that they do not know this payment.',
      answerBy: c.now + 7 * 86_400_000,
    },
  });
}

export const reportRefund = (book: Book, charge: Charge, refund: Refund): void =>
  book.send(charge, `refund.${refund.state}`, {
    about: { key: charge.key },
    refund: { ...refundOutcome(refund), key: refund.key },
  });

async function begin(c: ProcessorContext, asked: PaymentRequest): Promise<Outcome> {
  const p = playing(asked);
  const { begins, why, unheard } = scenarioOf(p.scenario);
  const { charge, isNew } = await inBook(c, async (book) => {
    const opened = await book.open(p, begins, why ?? null);
    if (opened.isNew) await reportCharge(c, book, opened.charge);
    return opened;
  });
  if (unheard && isNew) throw new Error('the answer of the sandbox was lost, as its scenario says');
  return outcomeOf(c, charge);
}

const look = (c: ProcessorContext, p: PaymentRequest): Promise<Outcome | null> =>
  inBook(c, async (book) => {
    const charge = await book.byKey(p.key);
    return charge ? outcomeOf(c, charge) : null;
  });

const beginSetup = (c: ProcessorContext, s: SetupRequest): Promise<Outcome> =>
  begin(c, { ...s, amount: 0, saveMethod: true, methodToken: null, description: 'Card' });

async function lookAtSetup(c: ProcessorContext, { key }: SetupRequest): Promise<Outcome> {
  const charge = await inBook(c, (book) => book.byKey(key));
  if (!charge) throw new Error(`the sandbox has no ${key}`);
  return outcomeOf(c, charge);
}

/** Cancels a payment. One that never began can no longer begin either. */
const cancel = (c: ProcessorContext, p: PaymentRequest): Promise<Outcome> =>
  inBook(c, async (book) => {
    const { charge } = await book.open(p, 'failed', CANCELLED);
    if (charge.state === 'succeeded' || charge.state === 'failed') return outcomeOf(c, charge);
    const failed = await book.become(charge, 'failed', CANCELLED);
    await reportCharge(c, book, failed);
    return outcomeOf(c, failed);
  });

const refund = (c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome> =>
  inBook(c, async (book) => {
    const charge = await book.byKey(r.payment.key);
    if (charge?.state !== 'succeeded')
      return { state: 'failed', external: null, why: 'The sandbox knows of no such payment.' };
    const before = await book.refunds(charge);
    const known = before.find(({ key }) => key === r.key);
    if (known) return refundOutcome(known);
    const given = before.filter(({ state }) => state !== 'failed').reduce((sum, one) => sum + one.amount_minor, 0);
    if (given + r.amount > charge.amount_minor)
      return { state: 'failed', external: null, why: 'The payment has already been refunded.' };
    const { refunds = 'succeeded' } = scenarioOf(charge.scenario);
    const made = await book.addRefund(charge, r, refunds === 'fails_later' ? 'succeeded' : refunds);
    reportRefund(book, charge, made);
    if (refunds === 'fails_later') reportRefund(book, charge, await book.refundBecomes(made, 'failed'));
    return refundOutcome(made);
  });

const lookRefund = (c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome> =>
  inBook(c, async (book) => {
    const charge = await book.byKey(r.payment.key);
    const found = charge && (await book.refunds(charge)).find(({ key }) => key === r.key);
    if (!found) throw new Error(`the sandbox has no refund ${r.key}`);
    return refundOutcome(found);
  });

async function verify(
  c: ProcessorContext,
  { body, headers }: { body: Buffer; headers: Readonly<Record<string, string | undefined>> },
): Promise<Message | null> {
  const signature = headers[SIGNATURE];
  if (signature === undefined || !same(signature, sign(c, body))) return null;
  return JSON.parse(body.toString('utf8')) as Message;
}

export const sandbox: RemoteProcessor = {
  name: 'sandbox',
  type: TYPES.sandbox,
  description: 'Plays payments without money, to try things out. Its scenarios say how a payment goes.',
  forTests: true,
  settings: [
    {
      name: 'signing_secret',
      description: 'Signs the messages of the sandbox. It is made for you.',
      secret: true,
      required: true,
      pattern: /^[0-9A-Za-z_-]{32,128}$/,
      hint: 'Must be 32 to 128 letters, digits, - or _.',
      make: () => randomBytes(32).toString('base64url'),
    },
  ],
  immediate: false,
  savesMethods: true,
  begin,
  look,
  cancel,
  refund,
  lookRefund,
  beginSetup,
  lookAtSetup,
  forget: async () => {},
  check: async () => ({
    works: true,
    why: null,
    account: null,
    isTest: true,
    takesPayments: true,
    methods: [{ key: 'card', name: 'Card', isSaved: true }],
  }),
  verify,
};
