/**
 * The invariants of the data of a business: sentences that hold at any moment, whatever was done before. Each is one
 * statement that selects the rows that break it. They are written from the documents and the tables alone and use
 * nothing of the code that writes the rows, so that a mistake there is not repeated here.
 */
import { join, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface Invariant {
  readonly name: string;
  /** full sentence that says what is true */
  readonly holds: string;
  /** table whose rows are named */
  readonly resource: string;
  /** why only code can hold it; absent: constraints and triggers hold it, whatever code writes */
  readonly onlyCode?: string;
  /** Selects `id` and `problem` of each row that breaks it. */
  readonly broken: (provider: number) => Sql;
}

type Provided = (provider: number) => Sql;

/**
 * Declares that stored numbers equal what other rows come to. `counted` selects `id`, the key of the row that stores
 * them, and one column for each stored number, named like it; a row without counted ones must store zeros.
 */
const equal = (
  name: string,
  holds: string,
  table: string,
  stored: readonly string[],
  counted: Provided,
  { where = sql`true`, onlyCode }: { where?: Sql; onlyCode?: string } = {},
): Invariant => ({
  name,
  holds,
  resource: table,
  onlyCode,
  broken: (provider) => {
    const differs = join(
      stored.map((column) => sql`t.${raw(column)} <> coalesce(c.${raw(column)}, 0)`),
      ' OR ',
    );
    const text = join(
      stored.map(
        (column) => sql`CASE WHEN t.${raw(column)} <> coalesce(c.${raw(column)}, 0) THEN
          ${raw(`'${column} '`)} || t.${raw(column)} || ' instead of ' || coalesce(c.${raw(column)}, 0) END`,
      ),
      ', ',
    );
    return sql`SELECT t.id, concat_ws(', ', ${text}) AS problem FROM ${raw(table)} t
      LEFT JOIN (${counted(provider)}) c ON c.id = t.id
      WHERE t.provider_id = ${provider} AND ${where} AND (${differs})`;
  },
});

/** Declares that no row is selected: `rows` selects `id` and `problem`. */
const none = (name: string, holds: string, resource: string, rows: Provided, onlyCode?: string): Invariant => ({
  name,
  holds,
  resource,
  onlyCode,
  broken: rows,
});

/** Why no constraint can hold an invariant about a booking or a checkout as a whole. */
const TOGETHER = 'The rows are of several tables, which one transaction writes one after the other.';

const SEATED = sql`a.status IN ('registered', 'attended', 'no_show')`;

// Places -------------------------------------------------------------------------------------------------------------

const PLACES: readonly Invariant[] = [
  equal(
    'places_booked',
    'The number of booked places of an event, in the room and online, is the number of its bookings.',
    'event',
    ['attending_count', 'online_attending_count'],
    (provider) => sql`SELECT a.event_id AS id, count(*) FILTER (WHERE a.place = 'venue') AS attending_count,
        count(*) FILTER (WHERE a.place = 'online') AS online_attending_count
      FROM attendance a WHERE a.provider_id = ${provider} AND ${SEATED} GROUP BY 1`,
  ),
  equal(
    'places_held',
    'The number of held places of an event is that of reserved waitlist spots and of checkouts that hold one.',
    'event',
    ['held_count', 'online_held_count'],
    (provider) => sql`SELECT h.event_id AS id, count(*) FILTER (WHERE h.place = 'venue') AS held_count,
        count(*) FILTER (WHERE h.place = 'online') AS online_held_count
      FROM (
        SELECT event_id, place FROM waitlist_spot
        WHERE provider_id = ${provider} AND ended_at IS NULL AND status = 'spot_reserved'
        UNION ALL SELECT event_id, place FROM seat_hold WHERE provider_id = ${provider} AND spot_expires_at IS NULL
      ) h GROUP BY 1`,
  ),
  equal(
    'places_waited_for',
    'The number of people who wait for an event is the number of its active waitlist spots without a place.',
    'event',
    ['waiting_count', 'online_waiting_count'],
    (provider) => sql`SELECT s.event_id AS id, count(*) FILTER (WHERE s.place = 'venue') AS waiting_count,
        count(*) FILTER (WHERE s.place = 'online') AS online_waiting_count
      FROM waitlist_spot s WHERE s.provider_id = ${provider} AND s.ended_at IS NULL AND s.status = 'on_waitlist'
      GROUP BY 1`,
  ),
  none(
    'never_oversold',
    'An event has never more booked and held places than it has places, in the room and online.',
    'event',
    (provider) => sql`SELECT e.id, e.attending_count + e.held_count || ' of ' || e.max_occupancy || ' in the room, '
          || e.online_attending_count + e.online_held_count || ' of ' || coalesce(e.online_max_occupancy, 0)
          || ' online' AS problem
      FROM event e WHERE e.provider_id = ${provider} AND (e.attending_count + e.held_count > e.max_occupancy
        OR e.online_attending_count + e.online_held_count > coalesce(e.online_max_occupancy, 0))`,
  ),
  none(
    'one_place_each',
    'A customer who is booked on an event neither waits for the same places of it nor holds another one there.',
    'attendance',
    (provider) => sql`SELECT a.id, 'also has ' || x.what AS problem FROM attendance a JOIN (
        SELECT event_id, customer_id, place, 'a waitlist spot' AS what FROM waitlist_spot
        WHERE provider_id = ${provider} AND ended_at IS NULL
        UNION ALL SELECT event_id, customer_id, place, 'a held place' FROM seat_hold WHERE provider_id = ${provider}
      ) x ON x.event_id = a.event_id AND x.customer_id = a.customer_id AND x.place = a.place
      WHERE a.provider_id = ${provider} AND ${SEATED}`,
    TOGETHER,
  ),
  none(
    'cancelled_is_empty',
    'Nobody is booked on a cancelled event, waits for it, or holds a place there.',
    'event',
    (provider) => sql`SELECT e.id, concat_ws(', ', e.attending_count + e.online_attending_count || ' booked',
          e.held_count + e.online_held_count || ' held', e.waiting_count + e.online_waiting_count || ' waiting')
          AS problem
      FROM event e WHERE e.provider_id = ${provider} AND e.status = 'cancelled'
        AND (e.held_count + e.waiting_count + e.online_held_count + e.online_waiting_count > 0
          OR EXISTS (SELECT FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id
            AND a.status = 'registered'))`,
    TOGETHER,
  ),
];

// Uses of memberships ------------------------------------------------------------------------------------------------

const USES: readonly Invariant[] = [
  none(
    'use_has_a_booking',
    'A use that was not returned belongs to a booking, or to a late cancellation.',
    'entitlement_entry',
    (provider) => sql`SELECT n.id, 'booking ' || a.id || ' is ' || a.status AS problem
      FROM entitlement_entry n JOIN attendance a ON a.provider_id = n.provider_id AND a.id = n.attendance_id
      WHERE n.provider_id = ${provider} AND n.open AND a.status = 'not_registered'`,
    TOGETHER,
  ),
  none(
    'use_returned_once',
    'A returned use has the size of the use, at the same membership, and the use is no longer open.',
    'entitlement_entry',
    (provider) => sql`SELECT b.id, 'returns use ' || n.id AS problem
      FROM entitlement_entry b JOIN entitlement_entry n ON n.provider_id = b.provider_id AND n.id = b.reverses_id
      WHERE b.provider_id = ${provider}
        AND (b.amount <> -n.amount OR b.customer_membership_id <> n.customer_membership_id OR n.open)`,
  ),
  none(
    'use_by_its_owner',
    'A use is open at a membership that somebody bought, for a booking of a customer of the same business.',
    'entitlement_entry',
    (provider) => sql`SELECT n.id, 'customer ' || n.customer_id || ', booking of customer ' || a.customer_id AS problem
      FROM entitlement_entry n JOIN attendance a ON a.provider_id = n.provider_id AND a.id = n.attendance_id
      WHERE n.provider_id = ${provider} AND n.open AND a.customer_id <> n.customer_id`,
  ),
  equal(
    'members_counted',
    'The number of members of a membership is the number of those that are active or on hold.',
    'membership',
    ['active_member_count'],
    (provider) => sql`SELECT membership_id AS id, count(*) AS active_member_count FROM customer_membership
      WHERE provider_id = ${provider} AND status IN ('active', 'hold') GROUP BY 1`,
  ),
  none(
    'periods_do_not_overlap',
    'No day of a recurring plan is billed twice.',
    'billing_period',
    (provider) => sql`SELECT b.id, 'overlaps period ' || c.id AS problem
      FROM billing_period b JOIN billing_period c ON c.provider_id = b.provider_id AND c.id > b.id
        AND c.customer_membership_id = b.customer_membership_id
        AND c.period_start <= b.period_end AND b.period_start <= c.period_end
      WHERE b.provider_id = ${provider} AND b.state <> 'skipped' AND c.state <> 'skipped'`,
  ),
];

// Invoices -----------------------------------------------------------------------------------------------------------

const SUMMED = [
  'list_minor',
  'discount_minor',
  'included_minor',
  'pre_tax_minor',
  'fees_minor',
  'rounding_minor',
  'total_minor',
] as const;

const INVOICES: readonly Invariant[] = [
  equal(
    'invoice_sums',
    'Each amount of an invoice is the sum of that of its lines.',
    'invoice',
    SUMMED,
    (provider) =>
      sql`SELECT invoice_id AS id, ${join(
        SUMMED.map((name) => sql`sum(${raw(name)}) AS ${raw(name)}`),
        ', ',
      )} FROM invoice_line WHERE provider_id = ${provider} GROUP BY 1`,
  ),
  equal(
    'line_fees',
    'The fees and taxes of a line are the sum of each of them.',
    'invoice_line',
    ['fees_minor'],
    (provider) => sql`SELECT line_id AS id, sum(amount_minor) AS fees_minor FROM invoice_line_fee
      WHERE provider_id = ${provider} GROUP BY 1`,
  ),
  equal(
    'entry_fees',
    'The fees and taxes of an account entry are the sum of each of them.',
    'account_entry',
    ['fees_minor'],
    (provider) => sql`SELECT account_entry_id AS id, sum(amount_minor) AS fees_minor FROM account_entry_fee
      WHERE provider_id = ${provider} GROUP BY 1`,
  ),
  equal(
    'invoice_paid',
    'The paid amount of an invoice, its account credit, its reduction and its refunds are those of its rows.',
    'invoice',
    ['paid_minor', 'credit_minor', 'reduced_minor', 'refunded_minor'],
    (provider) => sql`SELECT id, sum(paid) AS paid_minor, sum(credit) AS credit_minor, sum(reduced) AS reduced_minor,
        sum(refunded) AS refunded_minor
      FROM (
        SELECT invoice_id AS id, amount_minor AS paid, 0 AS credit, 0 AS reduced, 0 AS refunded FROM invoice_charge
        WHERE provider_id = ${provider}
        UNION ALL SELECT invoice_id, 0, amount_minor, 0, 0 FROM invoice_credit WHERE provider_id = ${provider}
        UNION ALL SELECT credits_invoice_id, 0, 0, reduces_minor, to_refund_minor FROM invoice
        WHERE provider_id = ${provider} AND series = 'credit_note'
      ) x GROUP BY 1`,
  ),
  none(
    'numbers_without_gaps',
    'Invoices and credit notes have the numbers from 1 to the last one of their series.',
    'invoice_series',
    (provider) => sql`SELECT s.last_number AS id, s.series || ': ' || coalesce(i.n, 0) || ' with numbers from '
          || coalesce(i.first, 0) || ' to ' || coalesce(i.last, 0) AS problem
      FROM invoice_series s LEFT JOIN (
        SELECT series, count(*) AS n, min(sequence) AS first, max(sequence) AS last FROM invoice
        WHERE provider_id = ${provider} GROUP BY 1
      ) i ON i.series = s.series
      WHERE s.provider_id = ${provider}
        AND (i.n, i.first, i.last) IS DISTINCT FROM (s.last_number, 1::bigint, s.last_number)`,
  ),
  equal(
    'line_given_back',
    'What was credited and returned of a line is what its credit notes and effective account credits come to.',
    'invoice_line',
    ['credited_minor', 'returned_minor'],
    (provider) => sql`SELECT id, sum(credited) AS credited_minor, sum(returned) AS returned_minor FROM (
        SELECT credits_line_id AS id, -total_minor AS credited, 0 AS returned FROM invoice_line
        WHERE provider_id = ${provider} AND credits_line_id IS NOT NULL
        UNION ALL SELECT e.returns_line_id, 0, e.amount_minor FROM account_entry e
        WHERE e.provider_id = ${provider} AND e.returns_line_id IS NOT NULL AND e.voided_at IS NULL
          AND NOT EXISTS (SELECT FROM account_entry r WHERE r.provider_id = e.provider_id AND r.reverses_id = e.id)
      ) x GROUP BY 1`,
  ),
  none(
    'given_back_within_billed',
    'For each fee and tax of a line, credit notes and account credits give back no more than was billed.',
    'invoice_line',
    (provider) => sql`SELECT f.line_id AS id, f.name || ': ' || sum(b.amount) || ' back of ' || f.amount AS problem
      FROM (
        SELECT line_id, purchase_fee_id, min(name) AS name, sum(amount_minor) AS amount FROM invoice_line_fee
        WHERE provider_id = ${provider} GROUP BY 1, 2
      ) f JOIN (
        SELECT l.credits_line_id AS line_id, x.purchase_fee_id, -x.amount_minor AS amount
        FROM invoice_line l JOIN invoice_line_fee x ON x.provider_id = l.provider_id AND x.line_id = l.id
        WHERE l.provider_id = ${provider} AND l.credits_line_id IS NOT NULL
        UNION ALL SELECT e.returns_line_id, x.purchase_fee_id, abs(x.amount_minor)
        FROM account_entry e
          JOIN account_entry_fee x ON x.provider_id = e.provider_id AND x.account_entry_id = e.id
        WHERE e.provider_id = ${provider} AND e.returns_line_id IS NOT NULL AND e.voided_at IS NULL
          AND NOT EXISTS (SELECT FROM account_entry r WHERE r.provider_id = e.provider_id AND r.reverses_id = e.id)
      ) b ON b.line_id = f.line_id AND b.purchase_fee_id = f.purchase_fee_id
      GROUP BY f.line_id, f.purchase_fee_id, f.name, f.amount HAVING sum(b.amount) > f.amount`,
  ),
  none(
    'voided_is_unpaid',
    'Nothing is paid on a voided invoice, and nothing is due.',
    'invoice',
    (
      provider,
    ) => sql`SELECT id, 'paid ' || paid_minor || ', credit ' || credit_minor || ', due ' || due_minor AS problem
      FROM invoice WHERE provider_id = ${provider} AND status = 'voided'
        AND (paid_minor <> 0 OR credit_minor <> 0 OR due_minor <> 0)`,
  ),
];

// Payments -----------------------------------------------------------------------------------------------------------

const PAYMENTS: readonly Invariant[] = [
  equal(
    'payment_refunds',
    'The refunded amount of a payment is the sum of its refunds that have not failed.',
    'payment',
    ['refunded_minor'],
    (provider) => sql`SELECT payment_id AS id, sum(amount_minor) AS refunded_minor FROM payment_refund
      WHERE provider_id = ${provider} AND status <> 'failed' GROUP BY 1`,
  ),
  none(
    'paid_once',
    'A payment pays no more on invoices than its amount, and only if it succeeded.',
    'payment',
    (provider) => sql`SELECT p.id, c.amount || ' on invoices of ' || p.amount_minor || ', ' || p.status AS problem
      FROM payment p JOIN (
        SELECT payment_id, sum(amount_minor) AS amount FROM invoice_charge WHERE provider_id = ${provider} GROUP BY 1
      ) c ON c.payment_id = p.id
      WHERE p.provider_id = ${provider} AND (c.amount > p.amount_minor OR p.status <> 'succeeded')`,
  ),
  none(
    'checkout_collects_its_total',
    'The invoice of a completed checkout is over its total less the value of the memberships that it replaces.',
    'checkout',
    (provider) => sql`SELECT c.id, 'total ' || c.total_minor || ', replaced ' || coalesce(r.credit, 0) || ', invoice '
          || coalesce(i.total_minor::text, 'none') AS problem
      FROM checkout c LEFT JOIN invoice i ON i.provider_id = c.provider_id AND i.id = c.invoice_id
        LEFT JOIN (SELECT checkout_id, sum(least(credit_minor, total_minor)) AS credit FROM checkout_item
          WHERE provider_id = ${provider} GROUP BY 1) r ON r.checkout_id = c.id
      WHERE c.provider_id = ${provider} AND c.status = 'completed'
        AND coalesce(i.total_minor, 0) <> c.total_minor - coalesce(r.credit, 0)`,
    TOGETHER,
  ),
  equal(
    'checkout_items',
    'The total of a checkout is the sum of its items.',
    'checkout',
    ['total_minor'],
    (provider) => sql`SELECT checkout_id AS id, sum(total_minor) AS total_minor FROM checkout_item
      WHERE provider_id = ${provider} GROUP BY 1`,
    { onlyCode: 'An open checkout is priced again after its items have changed.' },
  ),
  none(
    'ended_holds_nothing',
    'A checkout that has ended holds no place, no stock and no use of a discount code.',
    'checkout',
    (provider) => sql`SELECT c.id, c.status || ', holds ' || h.what AS problem FROM checkout c JOIN (
        SELECT i.checkout_id AS id, 'a place' AS what FROM seat_hold s
          JOIN checkout_item i ON i.provider_id = s.provider_id AND i.id = s.held_for_id
        WHERE s.provider_id = ${provider} AND s.held_for = 'checkout_item'
        UNION ALL SELECT i.checkout_id, 'stock' FROM stock_hold s
          JOIN checkout_item i ON i.provider_id = s.provider_id AND i.id = s.held_for_id
        WHERE s.provider_id = ${provider} AND s.held_for = 'checkout_item'
        UNION ALL SELECT u.checkout_id, 'a use of a code' FROM discount_code_use u
        WHERE u.provider_id = ${provider} AND u.state = 'reserved'
      ) h ON h.id = c.id
      WHERE c.provider_id = ${provider} AND c.ended_at IS NOT NULL`,
    TOGETHER,
  ),
  equal(
    'code_uses',
    'The uses of a discount code are those of completed checkouts, and the reserved ones those of open checkouts.',
    'discount_code',
    ['uses', 'reserved_uses'],
    (provider) => sql`SELECT discount_code_id AS id, count(*) FILTER (WHERE state = 'used') AS uses,
        count(*) FILTER (WHERE state = 'reserved') AS reserved_uses
      FROM discount_code_use WHERE provider_id = ${provider} GROUP BY 1`,
  ),
  equal(
    'drawer_sums',
    'The sums of a cash drawer are those of its movements.',
    'cash_session',
    ['payments_minor', 'refunds_minor', 'paid_in_minor', 'paid_out_minor'],
    (provider) => sql`SELECT cash_session_id AS id,
        sum(amount_minor) FILTER (WHERE kind = 'payment') AS payments_minor,
        sum(amount_minor) FILTER (WHERE kind = 'refund') AS refunds_minor,
        sum(amount_minor) FILTER (WHERE kind = 'paid_in') AS paid_in_minor,
        sum(amount_minor) FILTER (WHERE kind = 'paid_out') AS paid_out_minor
      FROM cash_movement WHERE provider_id = ${provider} GROUP BY 1`,
  ),
];

// Stock --------------------------------------------------------------------------------------------------------------

const STOCK: readonly Invariant[] = [
  equal(
    'stock_counted',
    'The stock of a product is the sum of its adjustments.',
    'store_product_variant',
    ['stock_count'],
    (provider) => sql`SELECT store_product_variant_id AS id, sum(quantity) AS stock_count
      FROM store_inventory_adjustment WHERE provider_id = ${provider} GROUP BY 1`,
  ),
  equal(
    'stock_held',
    'The held stock of a product is what checkouts hold of it.',
    'store_product_variant',
    ['held_count'],
    (provider) => sql`SELECT store_product_variant_id AS id, sum(quantity) AS held_count FROM stock_hold
      WHERE provider_id = ${provider} GROUP BY 1`,
  ),
  none(
    'sold_from_stock_once',
    'A sold item takes its quantity from stock once, and returns no more than that.',
    'store_order_item',
    (provider) => sql`SELECT i.id, 'quantity ' || i.quantity || ', taken ' || a.taken || ', returned ' || a.returned
          AS problem
      FROM store_order_item i JOIN (
        SELECT store_order_item_id AS id, -coalesce(sum(quantity) FILTER (WHERE quantity < 0), 0) AS taken,
          coalesce(sum(quantity) FILTER (WHERE quantity > 0), 0) AS returned
        FROM store_inventory_adjustment WHERE provider_id = ${provider} AND store_order_item_id IS NOT NULL GROUP BY 1
      ) a ON a.id = i.id
      WHERE i.provider_id = ${provider} AND (a.taken NOT IN (0, i.quantity) OR a.returned > i.quantity)`,
    TOGETHER,
  ),
];

// Pay and feed -------------------------------------------------------------------------------------------------------

const REST: readonly Invariant[] = [
  equal(
    'pay_approved',
    'Approved pay is the sum of its sessions.',
    'instructor_pay_period',
    ['total_minor'],
    (provider) => sql`SELECT instructor_pay_period_id AS id, sum(pay_minor) AS total_minor FROM instructor_pay_item
      WHERE provider_id = ${provider} AND instructor_pay_period_id IS NOT NULL GROUP BY 1`,
    { where: sql`t.reopened_at IS NULL`, onlyCode: 'The items are written after the period that they belong to.' },
  ),
  none(
    'feed_without_gaps',
    'The events of the feed have the numbers that follow those that were archived, up to the last one, without a gap.',
    'feed_item',
    (provider) => sql`SELECT p.last_seq AS id, count(f.seq) || ' events from ' || coalesce(min(f.seq), 0) || ' to '
          || coalesce(max(f.seq), 0) || ', of numbers up to ' || p.last_seq AS problem
      FROM feed_position p LEFT JOIN feed_item f ON f.provider_id = p.provider_id AND f.seq IS NOT NULL
      WHERE p.provider_id = ${provider} GROUP BY p.last_seq, p.gone_seq
      HAVING coalesce(max(f.seq), p.gone_seq) <> p.last_seq
        OR count(f.seq) <> coalesce(max(f.seq) - min(f.seq) + 1, 0) OR coalesce(min(f.seq) > p.gone_seq + 1, false)`,
    'Numbers are assigned after the commit, by one process at a time.',
  ),
  none(
    'readers_within_the_feed',
    'No reader of the feed is ahead of it.',
    'feed_item',
    (provider) => sql`SELECT r.last_seq AS id, r.reader || ' is ahead of ' || p.last_seq AS problem
      FROM feed_reader_position r JOIN feed_position p USING (provider_id)
      WHERE r.provider_id = ${provider} AND r.last_seq > p.last_seq`,
    'Readers follow the feed in transactions of their own.',
  ),
];

export const INVARIANTS: readonly Invariant[] = [...PLACES, ...USES, ...INVOICES, ...PAYMENTS, ...STOCK, ...REST];

/** Maximum number of reported rows of one invariant. */
const MAX_ROWS = 20;

/** Returns every row of a business that breaks an invariant, in words; an empty list if there is none. */
export async function checkInvariants(tx: Pick<Transaction, 'rows'>, provider: number): Promise<string[]> {
  const rows = await tx.rows<{ name: string; id: string; problem: string }>(brokenInvariants(provider));
  return rows.map(({ name, id, problem }) => {
    const { resource, holds } = INVARIANTS.find((one) => one.name === name)!;
    return `${name}: ${resource} ${id}: ${problem}. ${holds}`;
  });
}

/** One statement, so that all rows are of the same moment. */
const brokenInvariants = (provider: number): Sql =>
  join(
    INVARIANTS.map(
      ({ name, broken }) => sql`(SELECT ${raw(`'${name}'`)} AS name, b.id::text AS id, b.problem
        FROM (${broken(provider)}) b ORDER BY b.id LIMIT ${raw(String(MAX_ROWS))})`,
    ),
    ' UNION ALL ',
  );
