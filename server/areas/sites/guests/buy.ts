/**
 * Purchases without an account. A guest is a new customer of the business, even if another customer has the same
 * address, so nobody sees or uses somebody else's data. The customer acts through the operations of the API like one
 * with an account, and the address of the checkout's page is the credential for paying.
 */
import {
  addressKey,
  emailKey,
  findAccount,
  IDENTITY_PROBLEMS,
  invite,
  takeAttempt,
  throttleKey,
  type NotNow,
} from '../../people/identity/index.ts';
import { askAs, nowAt, type At, type Desk, actingAs, FRAME, writtenWith, type Ask } from '../frame/index.ts';
import { checkMailPath } from './mail.ts';
import { checkoutPath } from '../checkout/index.ts';
import { createCustomer } from '../../people/customers/index.ts';
import { endWork } from '../../../kernel/work/unit/background-work.ts';
import { giveTicket } from '../../commerce/checkouts/index.ts';
import { isConfirmed, keepGuestBooking, type Booked } from './booking.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { ownViewer } from '../../../kernel/work/access/viewer.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { Work } from '../../../kernel/work/unit/work.ts';
import type { Draft, Fields } from '../../../kernel/pages/form.ts';
import type { Guest } from './fields.ts';
import type { Html } from '../../../kernel/base/markup/html.ts';
import type { Script } from '../../../kernel/pages/script.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Puts the purchase into a checkout and returns its id; null: it is free, and the customer already has it. */
export type Buy = (of: {
  readonly ask: Ask;
  readonly customer: number;
  readonly tx: Transaction;
}) => Promise<string | null>;

/** Stores answers of the guest. @throws Problem if one is refused */
type Answering = (of: { readonly ask: Ask; readonly customer: number }) => Promise<void>;

/** A purchase on a page for people without an account. */
export interface Selling {
  /** path of this page */
  readonly self: string;
  /** path of the page that people come from, and where logged-in people buy */
  readonly from: string;
  readonly name: string;
  readonly about: Html | null;
  /** nothing has to be paid */
  readonly free: boolean;
  /** what is booked where there is nothing to pay: it is held until the email is answered; null: it is no booking */
  readonly booked: Booked | null;
  /** fields in addition to the person's name and address */
  readonly fields: Fields;
  /** texts to read before the form */
  readonly above?: Html;
  readonly script?: Script;
  /** questions of the business, below the person's name and address */
  readonly questions?: Fields;
  /** stores their answers for the new customer before the purchase; they stay if a free booking waits for an email */
  readonly answer?: (values: Readonly<Record<string, any>>) => Answering;
  /** initial values of the fields */
  readonly start?: Readonly<Record<string, string>>;
  /** returns the purchase, or a draft with the errors of the form */
  readonly wanted: (values: Readonly<Record<string, any>>, draft: Draft) => Buy | Draft;
  /** returns the draft for a refusal of the interface, if its fields are known */
  readonly refused?: (draft: Draft, problem: Problem) => Draft;
}

export interface GuestPurchase {
  readonly guest: Guest;
  /** true if there is nothing to pay, and the guest's address is unconfirmed */
  readonly free: boolean;
  /** subject of the booking if there is nothing to pay; null: not a booking */
  readonly booked: Booked | null;
  /** name shown to the guest */
  readonly name: string;
  /** SHA-256 of the page, its form and all submitted values, in hexadecimal */
  readonly fingerprint: string;
  /** path of the page that the guest came from */
  readonly from: string;
  readonly answer?: Answering;
  readonly buy: Buy;
}

const HOUR = 3_600_000;
const ACTOR = 'guest';

/**
 * The limit for one network is the same as for sign-ups. The limit for one mailbox keeps strangers from flooding it.
 */
const FROM_NETWORK = { free: 30, forgottenMs: HOUR / 4 };
const TO_MAILBOX = { free: 10, forgottenMs: HOUR };
/** Filling a free event with made-up people costs nothing, so its limit is lower. */
const FREE_FROM_NETWORK = { free: 10, forgottenMs: 24 * HOUR };

function blockedFor(
  { door }: Desk,
  { ip, site }: At,
  { guest: { email }, free }: GuestPurchase,
): Promise<NotNow | null> {
  const { db, box } = door;
  const now = door.now();
  return db.acrossTenants(
    'attempts are counted for all businesses together',
    async (tx) =>
      (await takeAttempt(tx, addressKey(box, 'guest', ip), FROM_NETWORK, now)) ??
      (await takeAttempt(tx, throttleKey(box, 'guest', `${site.id} ${emailKey(email)}`), TO_MAILBOX, now)) ??
      (free ? takeAttempt(tx, addressKey(box, `free guest ${site.id}`, ip), FREE_FROM_NETWORK, now) : null),
  );
}

/** Thrown to roll back the purchase: the places are reserved instead. */
class NotYet extends Error {}

/** The result of a form: a checkout to pay, or a free booking. Ids. */
interface Begun {
  readonly checkout: string | null;
  readonly booking: number | null;
}

/**
 * Creates the guest and starts the purchase. A free booking is only reserved until the guest confirms the address,
 * unless they did so before.
 */
async function begin(
  desk: Desk,
  visit: At,
  tx: Transaction,
  { user, ...purchase }: GuestPurchase & { readonly user: number | null },
): Promise<Begun> {
  const { guest, booked, name, from: page, answer, buy } = purchase;
  const { email } = guest;
  const customer = await withWork(desk, visit, tx, (work) => makeGuest(work, visit, guest));
  const confirmed =
    booked !== null && (await withWork(desk, visit, tx, (work) => isConfirmed(work, { email, user }, booked)));
  const ask = askAs(desk, visit, await actingAs(visit.site.id, customer, `${ACTOR}:${customer}`), tx);
  await answer?.({ ask, customer });
  try {
    const checkout = await tx.attempt(async () => {
      const id = await buy({ ask, customer, tx });
      if (id === null && booked !== null && !confirmed) throw new NotYet();
      return id;
    });
    if (checkout !== null) return { checkout, booking: null };
  } catch (error) {
    if (!(error instanceof NotYet)) throw error;
  }
  const booking = await withWork(desk, visit, tx, async (work) => {
    const { browser } = visit;
    if (booked === null || confirmed) await offerAccount(work, customer);
    return booked && keepGuestBooking(work, { customer, email, booked, name, page, browser, confirmed });
  });
  return { checkout: null, booking };
}

/**
 * Starts the purchase, once for each form. Returns the path of the next page, where the guest pays or confirms the
 * booking; null if nothing is left to do.
 * @throws Problem if the purchase is refused; then no customer is created either
 */
export async function buyAsGuest(
  desk: Desk,
  visit: At,
  purchase: GuestPurchase,
): Promise<{ outcome: 'begun'; path: string | null } | NotNow> {
  const { fingerprint, from } = purchase;
  const blocked = await blockedFor(desk, visit, purchase);
  if (blocked) return blocked;
  const { site } = visit;
  const user = purchase.booked && (await ownerOf(desk, purchase.guest.email));
  const { checkout, booking } = await desk.door.db.transaction(site.id, async (tx): Promise<Begun> => {
    const theForm = sql`provider_id = ${site.id} AND form_hash = decode(${fingerprint}, 'hex')`;
    // If the same form is sent twice at the same time, the second insert waits here, and then finds the result of the
    // first.
    const first = await tx.run(
      sql`INSERT INTO guest_purchase (provider_id, form_hash, created_at)
        VALUES (${site.id}, decode(${fingerprint}, 'hex'), ${instant(desk.door.now())})
          ON CONFLICT DO NOTHING`,
    );
    if (first === 0) {
      const row = await tx.one<Begun>(
        sql`SELECT checkout_id AS checkout, guest_booking_id AS booking FROM guest_purchase WHERE ${theForm}`,
      );
      return row!;
    }
    const begun = await begin(desk, visit, tx, { ...purchase, user });
    await tx.run(
      sql`UPDATE guest_purchase SET checkout_id = ${begun.checkout}, guest_booking_id = ${begun.booking}
        WHERE ${theForm}`,
    );
    return begun;
  });
  if (booking !== null) return { outcome: 'begun', path: checkMailPath(site, booking) };
  if (checkout === null) return { outcome: 'begun', path: null };
  const ticket = await desk.door.db.transaction(site.id, (tx) =>
    withWork(desk, visit, tx, (work) => giveTicket(work, Number(checkout), `${visit.baseUrl}${from}`)),
  );
  return { outcome: 'begun', path: checkoutPath(site, ticket) };
}

/** Returns the id of the account whose confirmed address this is; null if there is none. */
const ownerOf = ({ door }: Desk, email: string): Promise<number | null> =>
  door.db.acrossTenants('an account belongs to no business', async (tx) => {
    const account = await findAccount(tx, emailKey(email));
    return account?.emailConfirmedAt ? account.id : null;
  });

const makeGuest = (work: Work, visit: At, { first_name, last_name, email }: Guest): Promise<number> => {
  const { venues } = visit.site;
  return createCustomer(work, {
    first_name,
    last_name,
    email,
    is_guest: true,
    venue: venues.length === 1 ? venues[0].id : null,
    locale: writtenWith(visit, FRAME).reader.locale,
  });
};

/** Emails a link that turns the customer record into an account, unless the monthly limit of emails is reached. */
export async function offerAccount(work: Work, customer: number): Promise<void> {
  try {
    await invite(work, { customer });
  } catch (error) {
    if (!(error instanceof Problem && error.code === IDENTITY_PROBLEMS.quota_exceeded.code)) throw error;
  }
}

/** Runs an action as the business that the page belongs to. */
export async function withWork<T>(
  { registry, installation }: Desk,
  visit: At,
  tx: Transaction,
  act: (work: Work) => Promise<T>,
): Promise<T> {
  const { site, requestId } = visit;
  const work = new Work({
    tx,
    registry,
    tenant: site.tenant,
    viewer: ownViewer(site.id, ACTOR),
    now: nowAt(visit),
    requestId,
    installation,
  });
  const result = await act(work);
  await endWork(work, registry, 'page guest');
  return result;
}
