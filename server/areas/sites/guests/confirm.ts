/**
 * Pages on which guests confirm a free booking: with the link in the email, or with its code in the browser in which
 * they booked.
 */
import {
  book,
  bookedBy,
  bookingOfBrowser,
  bookingOfLink,
  hashOfBrowser,
  lockBooking,
  noteConfirmed,
  settle,
  type GuestBooking,
} from './booking.ts';
import { complete } from './free-purchase.ts';
import { codeHash, CONFIRM_PAGE } from './mail.ts';
import {
  actingAs,
  askAs,
  received,
  nowAt,
  type At,
  type Desk,
  mailedCodeFields,
  withDone,
  writtenFor,
  type Business,
} from '../frame/index.ts';
import { checkPage, confirmPage, fullPage, gonePage, refusedPage, settledPage, waitingPage } from './views.ts';
import { COURSE_PROBLEMS } from '../../availability/courses/index.ts';
import { EMPTY, readForm, withError } from '../../../kernel/pages/form.ts';
import { Failure, translate } from '../../../kernel/api/requests/refusals.ts';
import { guestSay } from './messages.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { offerAccount, withWork } from './buy.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Problem } from '../../../kernel/base/problem.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** out of a million possible codes */
const MAX_TRIES = 5;
const FULL: readonly string[] = ['event_full', COURSE_PROBLEMS.course_full.code];

export const guestConfirmRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/guest/check-mail',
    charged: 'credentials',
    get: async (visit) => {
      const booking = await inBrowser(desk, visit);
      return booking === null ? gonePage(visit) : checkPage(visit, booking, EMPTY);
    },
    post: (visit) => codeSent(desk, visit),
  },
  {
    path: `/{provider_id}/${CONFIRM_PAGE}`,
    charged: 'credentials',
    // Mail scanners open every link, so only pressing the button uses it up.
    get: async (visit) => {
      const secret = visit.query.get('ticket') ?? '';
      const booking = await ofLink(desk, visit, secret);
      return booking === null ? gonePage(visit) : confirmPage(visit, booking, secret);
    },
    post: async (visit) => {
      const secret = visit.sent.get('ticket') ?? '';
      const booking = await ofLink(desk, visit, secret);
      if (booking === null) return gonePage(visit);
      return answer(desk, visit, booking, secret);
    },
  },
];

const ofLink = ({ door }: Desk, visit: At, secret: string): Promise<GuestBooking | null> =>
  door.db.looking(visit.site.id, async (tx) => {
    const booking = await bookingOfLink({ tx, providerId: visit.site.id }, secret);
    return booking && booking.expires_at > nowAt(visit) ? booking : null;
  });

const inBrowser = ({ door }: Desk, visit: At): Promise<GuestBooking | null> =>
  door.db.looking(visit.site.id, (tx) =>
    bookingOfBrowser(
      { tx, providerId: visit.site.id },
      idIn(visit.query.get('booking') ?? visit.sent.get('booking')),
      visit.browser,
    ),
  );

/** Counts the try before the code is compared. For a booking that needs no code, every code is wrong. */
async function codeSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const booking = await inBrowser(desk, visit);
  if (booking === null) return gonePage(visit);
  const say = guestSay(visit);
  const { values, draft } = readForm({ code: mailedCodeFields(writtenFor(visit).say).code }, visit.sent);
  if (!values) return checkPage(visit, booking, draft);
  const { id: providerId } = visit.site;
  const right = await desk.door.db.transaction(providerId, async (tx) => {
    const found = await tx.one<{ right: boolean }>(
      sql`UPDATE guest_booking SET tries = tries + 1, updated_at = ${instant(nowAt(visit))}
          WHERE provider_id = ${providerId} AND id = ${booking.id}
            AND browser_hash = ${hashOfBrowser(visit.browser)}::bytea
            AND tries < ${MAX_TRIES} AND held_until > ${instant(nowAt(visit))}
          RETURNING coalesce(code_hash = ${codeHash(desk.door.box, booking.id, values.code)}::bytea, false) AS right`,
    );
    return found?.right ?? null;
  });
  if (right === true) return answer(desk, visit, booking, null);
  return right === null
    ? checkPage(visit, booking, withError(draft, '', say('check.gone')))
    : checkPage(visit, booking, withError(draft, 'code', say('check.refused')));
}

type Outcome =
  | { readonly kind: 'booked' | 'waiting' | 'settled' | 'gone' }
  | { readonly kind: 'full' | 'refused'; readonly problem: Problem };

/**
 * Confirms the booking and responds with the result. `secret` is null if the code was typed. If only the waitlist is
 * left, guests with a link are asked first.
 */
async function answer(desk: Desk, visit: At, booking: GuestBooking, secret: string | null): Promise<PageAnswer> {
  const outcome = await confirm(desk, visit, booking.id, visit.sent.get('act') === 'wait');
  switch (outcome.kind) {
    case 'booked':
      return seeOther(withDone(booking.page, 'booked'));
    case 'waiting':
      return waitingPage(visit, booking);
    case 'settled':
      return settledPage(visit, booking);
    case 'gone':
      return gonePage(visit);
    case 'full':
      return secret === null ? refusedPage(visit, booking, outcome.problem.message) : fullPage(visit, booking, secret);
    case 'refused':
      return refusedPage(visit, booking, outcome.problem.message);
  }
}

/**
 * Confirms the address, then books, or joins the waitlist if there is no place and the guest agreed to wait. A second
 * confirmation changes nothing.
 */
const confirm = (desk: Desk, visit: At, id: number, waits: boolean): Promise<Outcome> =>
  desk.door.db.transaction(visit.site.id, async (tx): Promise<Outcome> => {
    const booking = await lockBooking({ tx, providerId: visit.site.id }, id);
    if (booking === null) return { kind: 'gone' };
    if (booking.settled_at !== null) return { kind: 'settled' };
    await withWork(desk, visit, tx, (work) => noteConfirmed(work, booking));
    const { checkout } = bookedBy(booking);
    const refused = await unlessRefused(desk, visit, tx, () =>
      checkout === undefined
        ? withWork(desk, visit, tx, (work) => book(work, booking))
        : complete(desk, visit, tx, { booking, checkout }),
    );
    // A purchase has no waitlist, and a person who completes one is offered an account by the reader of the feed.
    if (checkout !== undefined) return refused === null ? { kind: 'booked' } : { kind: 'refused', problem: refused };
    const full = refused !== null && FULL.includes(refused.code);
    if (refused !== null && !(full && waits)) return { kind: full ? 'full' : 'refused', problem: refused };
    if (refused !== null) {
      const stillRefused = await unlessRefused(desk, visit, tx, () => wait(desk, visit, tx, booking));
      if (stillRefused !== null) return { kind: 'refused', problem: stillRefused };
    }
    await withWork(desk, visit, tx, (work) => offerAccount(work, booking.customer_id));
    return { kind: refused === null ? 'booked' : 'waiting' };
  });

/** Runs `act` and rolls it back if it is refused. Returns the refusal in the words for the guest, or null. */
async function unlessRefused(
  desk: Desk,
  visit: At,
  tx: Transaction,
  act: () => Promise<unknown>,
): Promise<Problem | null> {
  try {
    await tx.attempt(act);
    return null;
  } catch (error) {
    const problem = translate(error, desk.registry.constraints);
    if (problem instanceof Failure) throw error;
    return received(desk, visit, problem);
  }
}

async function wait(desk: Desk, visit: At, tx: Transaction, booking: GuestBooking): Promise<void> {
  const { customer_id: customer } = booking;
  const ask = askAs(desk, visit, await actingAs(visit.site.id, customer, `guest:${customer}`), tx);
  const { event, series } = bookedBy(booking);
  const place = booking.place ?? undefined;
  if (event !== undefined)
    await ask('POST /events/{id}/join_waitlist', { params: { id: event }, body: { customer, place } });
  else if (series !== undefined)
    await ask('POST /course_date_series/{id}/join_waitlist', { params: { id: series }, body: { customer } });
  await withWork(desk, visit, tx, (work) => settle(work, booking));
}
