import { boolean, instant as moment, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { changes } from '../../../../kernel/api/resource-changes.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { lockCustomers } from '../../customers/index.ts';
import { registrationBlock } from './registration-block.ts';
import { registrationBlockFeed } from '../feed.ts';
import { staffWith } from '../../../../kernel/api/endpoint.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('customers');

const body = {
  reason: text({ max: 500 }).describe('A note for staff. Customers never see it.'),
  ends_at: moment().nullable().optional().describe('If left out or null, the block lasts until it is lifted.'),
};

function checkEnd(ends: number | null | undefined, now: number): string | null | undefined {
  if (ends !== null && ends !== undefined && ends <= now)
    throw invalid('ends_at', 'Must be in the future. To end the block now, lift it.');
  return ends === null || ends === undefined ? ends : instant(ends);
}

/** Locks the customer, so that nobody else blocks them meanwhile, and refuses a second block. */
async function checkFree(work: Work, customer: number, except: number | null): Promise<void> {
  const [row] = await lockCustomers(work, [customer]);
  if (!row || row.deleted_at !== null) throw invalid('customer', `There is no customer with the id ${customer}.`);
  const there = await work.tx.one(
    sql`SELECT FROM customer_registration_block WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
      AND id IS DISTINCT FROM ${except}::bigint AND lifted_at IS NULL
      AND (ends_at IS NULL OR ends_at > ${instant(work.now)})`,
  );
  if (there)
    throw new Problem('already_exists', 'This customer is already blocked from booking. Change that block instead.');
}

export const changeBlocks = changes(registrationBlock, {
  path: '/customer_registration_blocks',
  noun: 'registration block',
  who,
  body: {
    ...body,
    is_active: boolean().optional().describe('False lifts the block. True applies it again.'),
  },
  first: { customer: ref('customer'), ...body },
  problems: ['already_exists'],
  create: {
    description:
      'From now on, nobody can book for the customer, and a waitlist passes them over. Bookings that they have stay.',
    run: async ({ work, body: { customer, ends_at, ...values } }) => {
      const ends = checkEnd(ends_at, work.now);
      await checkFree(work, customer, null);
      const id = await insertRow(work, 'customer_registration_block', {
        ...values,
        ends_at: ends,
        customer_id: customer,
        set_by_id: work.viewer.staffId,
      });
      work.record(registrationBlockFeed.created, id, { customer_registration_block: id, customer });
      return id;
    },
  },
  update: {
    description: 'To lift a block, set `is_active` to false.',
    run: async ({ work, body: { is_active, ends_at, ...values }, target }) => {
      const ended = target.ends_at !== null && target.ends_at <= work.now;
      const lifts = is_active === false && target.lifted_at === null;
      const renews = is_active === true && (target.lifted_at !== null || ended);
      const ends = ends_at === target.ends_at ? undefined : checkEnd(ends_at, work.now);
      if (renews && ended && ends === undefined)
        throw invalid('ends_at', 'The block has ended. Send when it ends from now on, or null for no end.');
      if (renews) await checkFree(work, target.customer_id, target.id);
      await updateRow(work, 'customer_registration_block', target.id, {
        ...values,
        ends_at: ends,
        ...(lifts && { lifted_at: instant(work.now), lifted_by_id: work.viewer.staffId }),
        ...(renews && { lifted_at: null, lifted_by_id: null }),
      });
      const changed = changedNames({ ...values, ends_at: ends, is_active: lifts || renews || undefined });
      if (changed.length > 0)
        work.record(registrationBlockFeed.updated, target.id, {
          customer_registration_block: target.id,
          customer: target.customer_id,
          changed,
        });
    },
  },
});
