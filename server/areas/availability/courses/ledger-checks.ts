/**
 * Checks that refunds of sessions equal what was credited for them, that each was credited once, and that none was made
 * up for as well.
 */
import { ENROLLMENT } from './account-reasons.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { LedgerCheck } from '../../money/ledger/index.ts';

interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly of: string;
  readonly expected: number;
  readonly found: number;
}

const differences = (rows: readonly Row[], what: string) =>
  rows.map(({ id, of, expected, found }) => ({ of: `${what} ${id}${of}`, expected, found }));

/**
 * A credit note either reduces what is due, or goes to the customer; an open charge is voided, an invoiced one has a
 * credit.
 */
const creditsCheck: LedgerCheck = {
  name: 'course_credits',
  description:
    'What sessions of an enrolment gave back is what its credit notes posted, and what was taken back of charges for it and for added sessions.',
  resource: 'course_enrollment',
  check: async ({ tx, providerId }) =>
    differences(
      await tx.rows<Row>(sql`
        SELECT * FROM (
          SELECT x.course_enrollment_id AS id, ', credit note ' || x.credit_note_id AS of,
            sum(x.credit_minor)::bigint AS expected,
            coalesce((SELECT -sum(l.amount_minor) FILTER (WHERE l.account IN ('receivable', 'credit', 'unapplied'))
              FROM ledger_transaction t
              JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
              WHERE t.provider_id = ${providerId} AND t.object = 'invoice' AND t.object_id = x.credit_note_id),
                0)::bigint AS found
          FROM course_enrollment_date x WHERE x.provider_id = ${providerId} AND x.credit_note_id IS NOT NULL
          GROUP BY x.course_enrollment_id, x.credit_note_id
          UNION ALL
          SELECT x.course_enrollment_id, ', session ' || x.event_id, x.credit_minor,
            CASE WHEN c.voided_at IS NOT NULL THEN c.amount_minor
              ELSE coalesce((SELECT sum(b.amount_minor) FROM account_entry b
              WHERE b.provider_id = c.provider_id AND b.reverses_id = c.id AND b.voided_at IS NULL), 0) END::bigint
          FROM course_enrollment_date x JOIN account_entry c ON c.provider_id = x.provider_id
            AND c.id = x.added_entry_id
          WHERE x.provider_id = ${providerId} AND x.credit_minor > 0
          UNION ALL
          SELECT n.id, ', charge ' || c.id,
            (SELECT coalesce(sum(x.credit_minor), 0) FROM course_enrollment_date x
              WHERE x.provider_id = n.provider_id AND x.course_enrollment_id = n.id AND x.added_at IS NULL
                AND x.credit_note_id IS NULL)::bigint,
            (SELECT f.amount_minor FROM account_entry f WHERE f.provider_id = n.provider_id
              AND f.subject_object = ${ENROLLMENT.subject} AND f.subject_id = n.id AND f.reason = ${ENROLLMENT.name}
              AND f.reverses_id IS NULL ORDER BY f.id LIMIT 1) - c.amount_minor
          FROM course_enrollment n JOIN account_entry c ON c.provider_id = n.provider_id AND c.id = n.account_entry_id
          WHERE n.provider_id = ${providerId} AND c.voided_at IS NULL) given
        WHERE expected <> found ORDER BY id, of LIMIT 100`),
      'enrolment',
    ),
};

const makeUpsCheck: LedgerCheck = {
  name: 'course_make_ups',
  description: 'A session that was made up for gave nothing back.',
  resource: 'course_make_up',
  check: async ({ tx, providerId }) =>
    differences(
      await tx.rows<Row>(sql`
        SELECT m.id, '' AS of, 0::bigint AS expected, x.credit_minor AS found FROM course_make_up m
          JOIN course_enrollment_date x ON x.provider_id = m.provider_id
            AND x.course_enrollment_id = m.course_enrollment_id AND x.event_id = m.missed_event_id
        WHERE m.provider_id = ${providerId} AND NOT m.given_up AND x.credit_minor > 0 ORDER BY m.id LIMIT 100`),
      'make-up session',
    ),
};

export const COURSE_CHECKS = [creditsCheck, makeUpsCheck] as const;
