/**
 * Buying without an account. A guest is a new customer of the business, even if another customer has the same address: so
 * nobody sees or uses what belongs to somebody else. The customer acts through the operations of the interface, as one
 * with an account would, and the address of the checkout's page is the credential for paying.
 */
import {
  addressKey,
  emailKey,
  IDENTITY_PROBLEMS,
  invite,
  takeAttempt,
  throttleKey,
  type NotNow,
} from '../../../people/identity/index.ts';
import { askAs, nowAt, type At, type Desk } from '../desk.ts';
import { checkoutPath } from '../checkout/path.ts';
import { actingAs } from '../eyes.ts';
import { createCustomer } from '../../../people/customers/index.ts';
import { endWork } from '../../../../kernel/own-work.ts';
import { FRAME } from '../frame/messages.ts';
import { giveTicket } from '../../../commerce/checkouts/index.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { ownViewer } from '../../../../kernel/access/viewer.ts';
import { Problem } from '../../../../kernel/api/problem.ts';
import { Work } from '../../../../kernel/work.ts';
import { writtenWith } from '../frame/written.ts';
import type { Ask } from '../ask.ts';
import type { Guest } from './fields.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';

/** Puts what is wanted into a checkout, and returns its id; null: it is free, and the customer has it. */
export type Buy = (of: {
  readonly ask: Ask;
  readonly customer: number;
  readonly tx: Transaction;
}) => Promise<string | null>;

export interface GuestPurchase {
  readonly guest: Guest;
  /** nothing is to be paid: it is taken at once, by somebody of whom nobody knows whether the address is theirs */
  readonly free: boolean;
  /** SHA-256 of the form and everything that was sent with it, in hexadecimal */
  readonly fingerprint: string;
  /** path of the page that they came from */
  readonly from: string;
  readonly buy: Buy;
}

const HOUR = 3_600_000;
const ACTOR = 'guest';

/** From one network as at a sign-up; and nobody's mailbox is filled by strangers who know its address. */
const FROM_NETWORK = { free: 30, forgottenMs: HOUR / 4 };
const TO_MAILBOX = { free: 10, forgottenMs: HOUR };
/** What costs nothing keeps nobody from filling an event with made-up people. */
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

/**
 * Begins it, once for each form. Returns the path of the page where it is paid; null: there was nothing to pay.
 * @throws Problem what stands against it; then there is no customer either
 */
export async function buyAsGuest(
  desk: Desk,
  visit: At,
  purchase: GuestPurchase,
): Promise<{ outcome: 'begun'; path: string | null } | NotNow> {
  const { guest, fingerprint, from, buy } = purchase;
  const blocked = await blockedFor(desk, visit, purchase);
  if (blocked) return blocked;
  const { site } = visit;
  const checkout = await desk.door.db.transaction(site.id, async (tx) => {
    const hash = sql`decode(${fingerprint}, 'hex')`;
    // Of the same form twice at the same time, the later waits here, and finds what the first one did.
    const first = await tx.run(
      sql`INSERT INTO guest_purchase (provider_id, form_hash, created_at) VALUES (${site.id}, ${hash}, ${instant(desk.door.now())})
          ON CONFLICT DO NOTHING`,
    );
    if (first === 0) {
      const row = await tx.one<{ id: number | null }>(
        sql`SELECT checkout_id AS id FROM guest_purchase WHERE provider_id = ${site.id} AND form_hash = ${hash}`,
      );
      return row!.id;
    }
    const customer = await withWork(desk, visit, tx, (work) => makeGuest(work, visit, guest));
    const ask = askAs(desk, visit, await actingAs(site.id, customer, `${ACTOR}:${customer}`), tx);
    const id = await buy({ ask, customer, tx });
    if (id === null) await withWork(desk, visit, tx, (work) => offerAccount(work, customer));
    else
      await tx.run(
        sql`UPDATE guest_purchase SET checkout_id = ${id} WHERE provider_id = ${site.id} AND form_hash = ${hash}`,
      );
    return id;
  });
  if (checkout === null) return { outcome: 'begun', path: null };
  const ticket = await desk.door.db.transaction(site.id, (tx) =>
    withWork(desk, visit, tx, (work) => giveTicket(work, Number(checkout), `${visit.baseUrl}${from}`)),
  );
  return { outcome: 'begun', path: checkoutPath(site, ticket) };
}

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

/** Mails a link that makes the record the account of whoever reads the mail, unless too much was mailed this month. */
export async function offerAccount(work: Work, customer: number): Promise<void> {
  try {
    await invite(work, { customer });
  } catch (error) {
    if (!(error instanceof Problem && error.code === IDENTITY_PROBLEMS.quota_exceeded.code)) throw error;
  }
}

/** In the name of the business, whose page it is. */
async function withWork<T>(
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
