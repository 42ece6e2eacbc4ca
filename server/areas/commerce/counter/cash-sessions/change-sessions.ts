/** Cash sessions: opening with a float, counting and closing. */
import { action, create, one } from '../../../../kernel/api/endpoint.ts';
import { alreadyOpen, closed, COUNTER_PROBLEMS } from '../problems.ts';
import { cashSession, type MovementKind } from './cash-session.ts';
import { sumDenominations, type Denomination } from '../rules/count.ts';
import { decimal, moreThanZero, said } from '../amounts.ts';
import { differed } from './postings.ts';
import { insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { integer, listOf, moneyText, object, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { lockSession, type SessionRow } from './rows.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { move } from './movements.ts';
import { post } from '../../../money/ledger/index.ts';
import { cashSessionFeed } from './feed.ts';
import { whoSells } from '../shown.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = whoSells;
const { cash_session_open, cash_session_closed, cash_not_enough } = COUNTER_PROBLEMS;

const open = create(cashSession, {
  path: '/counter/cash_sessions',
  summary: 'Open a cash session',
  description:
    'Count what is in the drawer first: it is the float. A drawer has one open session at a time, which is closed by a count.',
  who,
  body: {
    payment_processor: ref('payment_processor').describe('The cash drawer: a payment processor that `is_cash_drawer`.'),
    venue: ref('venue').nullable().optional().describe('Venue of the drawer.'),
    opening_float: moneyText().describe('Amount in the drawer now.'),
  },
  problems: [cash_session_open],
  run: async ({ work, body }) => {
    const float = minorOf('opening_float', body.opening_float, work.tenant.currency);
    await checkDrawer(work, body.payment_processor);
    const id = await insertRow(work, 'cash_session', {
      payment_processor_id: body.payment_processor,
      venue_id: body.venue ?? null,
      opened_by_id: work.viewer.staffId,
      opening_float_minor: float,
    });
    work.record(cashSessionFeed.opened, id, { cash_session: id, payment_processor: body.payment_processor });
    work.effect('cash_session_opened', 'cash_session', id, { opening_float: decimal(work, float) });
    return id;
  },
});

async function checkDrawer({ tx, providerId }: Work, processor: number): Promise<void> {
  const row = await tx.one<{ name: string; drawer: boolean; disabled: boolean; open: boolean }>(sql`
    SELECT p.name, p.kind = 'offline' AND coalesce(p.settings->>'cash_drawer' = 'yes', false) AS drawer,
      p.disabled_at IS NOT NULL AS disabled,
           EXISTS (SELECT FROM cash_session s WHERE s.provider_id = p.provider_id AND s.payment_processor_id = p.id
             AND s.closed_at IS NULL) AS open
    FROM payment_processor p WHERE p.provider_id = ${providerId} AND p.id = ${processor}`);
  const { name, drawer, disabled, open: isOpen } = row!;
  if (!drawer)
    throw invalid(
      'payment_processor',
      `${name} is not a cash drawer. Choose another one, or set its setting \`cash_drawer\` to yes.`,
    );
  if (disabled) throw invalid('payment_processor', `${name} is turned off. Turn it on, or choose another one.`);
  if (isOpen) throw alreadyOpen();
}

/** Returns the session of the path, which the pipeline has locked. */
async function openOne(work: Work, id: number): Promise<SessionRow> {
  const row = await lockSession(work, id);
  if (row.closed_at !== null) throw closed();
  return row;
}

const reason = text({ max: 1000 });

const payInOrOut = (kind: Extract<MovementKind, 'paid_in' | 'paid_out'>, summary: string, description: string) =>
  action({
    path: `/counter/cash_sessions/{id}/${kind === 'paid_in' ? 'pay_in' : 'pay_out'}`,
    summary,
    description,
    who,
    target: cashSession,
    body: { amount: moneyText(), reason: reason.describe('Why. The ledger shows it.') },
    problems: [cash_session_closed, cash_not_enough],
    returns: one(cashSession),
    run: async ({ work, target, body }) => {
      const session = await openOne(work, target.id);
      await move(work, session, { kind, amount: moreThanZero(work, 'amount', body.amount), reason: body.reason });
      return session.id;
    },
  });

const payIn = payInOrOut(
  'paid_in',
  'Put cash into a drawer',
  'For cash that no customer paid, for example more change from the bank.',
);

const payOut = payInOrOut(
  'paid_out',
  'Take cash out of a drawer',
  'For cash that no customer gets, for example what goes to the bank or pays for milk.',
);

const close = action({
  path: '/counter/cash_sessions/{id}/close',
  summary: 'Count and close a cash session',
  description:
    'Send what was counted, as a total or by coins and notes. If it is not what is expected, the difference needs a reason and is posted to the ledger as a cash difference. A closed session never changes.',
  who,
  target: cashSession,
  body: {
    counted: moneyText().optional().describe('Amount in the drawer. It may be left out with `denominations`.'),
    denominations: listOf(
      object({ value: moneyText().describe('Value of one coin or note.'), count: integer({ min: 0, max: 1_000_000 }) }),
      { min: 1, max: 50 },
    )
      .optional()
      .describe('Number of each coin and note.'),
    difference_reason: reason
      .nullable()
      .optional()
      .describe('Why less or more was counted than expected. Required then, and to be left out otherwise.'),
  },
  problems: [cash_session_closed],
  returns: one(cashSession),
  run: async ({ work, target, body }) => {
    const session = await openOne(work, target.id);
    const denominations = body.denominations?.map(({ value, count }, n) => ({
      value: moreThanZero(work, `denominations.${n}.value`, value),
      count,
    }));
    const counted = countOf(work, body.counted, denominations);
    const difference = counted - session.expected_minor;
    const why = difference === 0 ? null : whyOf(work, difference, body.difference_reason);
    await updateRow(work, 'cash_session', session.id, {
      counted_minor: counted,
      denominations: denominations && json(denominations),
      difference_reason: why,
      closed_by_id: work.viewer.staffId,
      closed_at: instant(work.now),
    });
    if (why !== null) await post(work, differed(session, difference, why));
    const amounts = { counted: decimal(work, counted), difference: decimal(work, difference) };
    const { id, payment_processor_id: payment_processor } = session;
    work.record(cashSessionFeed.closed, id, { cash_session: id, payment_processor, ...amounts });
    work.effect('cash_session_closed', 'cash_session', id, mayKnow(work) ? amounts : { counted: amounts.counted });
    return id;
  },
});

function countOf(work: Work, sent: string | undefined, denominations: readonly Denomination[] | undefined): number {
  const total = sent === undefined ? null : minorOf('counted', sent, work.tenant.currency);
  if (!denominations) {
    if (total === null) throw invalid('counted', 'Send what was counted, or `denominations`.');
    return total;
  }
  const sum = sumDenominations(denominations);
  if (total !== null && total !== sum)
    throw invalid('counted', `The coins and notes come to ${said(work, sum)}. Send that, or leave it out.`);
  return sum;
}

const mayKnow = ({ viewer }: Work): boolean => may(viewer, 'revenue');

/**
 * Requires a reason for a difference. Callers who may not see the expected amount don't learn how large the difference
 * is.
 */
function whyOf(work: Work, difference: number, sent: string | null | undefined): string {
  if (typeof sent === 'string') return sent;
  const words = `${said(work, Math.abs(difference))} ${difference < 0 ? 'is missing' : 'too much was counted'}`;
  throw invalid(
    'difference_reason',
    `${mayKnow(work) ? words : 'The counted amount differs from the expected one'}. Count again, or send the reason.`,
  );
}

export const changeSessions = [open, payIn, payOut, close];
