/** Erasure of a person: nothing identifies them any more, and the records that must be kept still balance. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { deleteIfUnused } from '../../people/identity/index.ts';
import {
  ERASE,
  eraseRows,
  forgetBeside,
  personalTables,
  erasureBlockers,
  type Stopping,
} from '../../../kernel/base/db/person.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { id, instant, integer, listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { keepOutBackground } from '../../../kernel/work/jobs/background-lock.ts';
import { lockCustomers, setErased } from '../../people/customers/index.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';
import { PEOPLE, personOf } from './people.ts';
import { withdrawExports } from '../reports/index.ts';

const AUDIT = 'audit_entries';
const AUDIT_KEPT = 'Who changed what, and when, without what it was.';
const FILES = 'files_of_reports';

/** Lists all obstacles together, so that staff don't discover them one by one. */
const notYet = (stopping: readonly Stopping[]): Problem =>
  new Problem(
    'conflict',
    `This customer can't be erased yet. ${stopping.map(({ count, what, remedy }) => `They have ${count} ${what}: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`).join(' ')}`,
  );

/**
 * Has no target, because the audit would keep what the pipeline read of the row. Locks the customer before reading
 * anything: a booking or payment in progress finishes first, and is counted.
 */
export const erase = action({
  path: '/customers/{id}/erase',
  summary: 'Erase a customer',
  description:
    'Erases a person for good: their name, email address, phone number, date of birth, notes, answers, messages and saved data are deleted or made anonymous everywhere, also in the audit. Invoices, payments and the ledger stay, as the law asks, and so do visits, which no longer say who it was. The answer lists what was erased, and what was kept and why. Refused while anything is unfinished, such as an upcoming booking, a membership that has not ended, or an open invoice: the message says what to do. Files of reports end, because the person may be in them. Their log-in is deleted too, unless they are staff here or known to another business. This cannot be undone: try it with `dry_run` first.',
  who: staffWith('super_admin'),
  returns: answer({
    customer: id(),
    erased_at: instant(),
    erased: listOf(
      object({
        what: text().describe('Kind of deleted objects, for example `notes`.'),
        count: integer(),
      }),
    ),
    kept: listOf(
      object({
        what: text().describe('Kind of kept objects, for example `invoices`.'),
        count: integer(),
        why: text(),
      }),
    ),
  }),
  problems: ['conflict'],
  run: async ({ work, params }) => {
    const { tx, providerId, now, registry } = work;
    const customer = pathId(params.id);
    if (customer === null) throw notFound();
    // A merge locks two customers, and background work locks in another order: waits until neither is running.
    await keepOutBackground(tx, providerId);
    const [row] = await lockCustomers(work, [customer], 'UPDATE');
    if (!row || row.is_walk_in) throw notFound();
    const of = await personOf(work, row);
    const erasing = { tables: await personalTables(tx, registry.tables, PEOPLE), providerId, of, now };
    const stopping = await erasureBlockers(tx, erasing);
    if (stopping.length > 0) throw notYet(stopping);
    const rows = await eraseRows(tx, erasing);
    const audited = await forgetBeside(tx, { ...erasing, people: PEOPLE });
    const files = await withdrawExports(work);
    const at = await setErased(work, row);
    if (row.user_id !== null) deleteIfUnused(work, row.user_id);
    const erased = [
      ...rows.filter(({ why }) => why === null).map(({ what, count }) => ({ what, count })),
      ...(files === 0 ? [] : [{ what: FILES, count: files }]),
    ];
    const kept = [
      ...rows.flatMap(({ what, count, why }) => (why === null ? [] : [{ what, count, why }])),
      ...(audited === 0 ? [] : [{ what: AUDIT, count: audited, why: AUDIT_KEPT }]),
    ];
    for (const { what, count } of erased) work.effect('erased', 'customer', customer, { what, count });
    for (const { what, count, why } of kept) work.effect('kept', 'customer', customer, { what, count, why });
    work.audit({
      action: ERASE,
      object: 'customer',
      objectId: customer,
      before: null,
      after: { erased, kept: kept.map(({ what, count }) => ({ what, count })) },
    });
    return { customer, erased_at: formatInstant(at, work.tenant.zone), erased, kept };
  },
});
