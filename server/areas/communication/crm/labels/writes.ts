/** Labels on customers. Adding a label that is there, or removing one that isn't, changes nothing. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockCustomers, noteCustomerLabels, type CustomerRow } from '../../../people/customers/index.ts';
import { customerLabelsFeed } from './feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Label {
  readonly id: number;
  readonly slug: string;
}

/** Adds a label; returns true if the customer did not have it. */
export async function addLabel(
  work: Work,
  customer: number,
  label: Label,
  workflowRun: number | null = null,
): Promise<boolean> {
  const { tx, providerId } = work;
  const before = await worn(work, customer);
  if (!before || before.labels.includes(label.id)) return false;
  await tx.run(
    sql`INSERT INTO customer_label_link (provider_id, customer_id, customer_label_id, created_at)
      VALUES (${providerId}, ${customer}, ${label.id}, ${instant(work.now)})`,
  );
  noteCustomerLabels(work, before.row, { before: before.labels, after: [...before.labels, label.id] });
  work.record(customerLabelsFeed.added, customer, {
    customer,
    customer_label: label.id,
    label: label.slug,
    workflow_run: workflowRun,
  });
  work.effect('label_added', 'customer', customer, { label: label.slug });
  return true;
}

/** Removes a label; returns true if the customer had it. */
export async function removeLabel(
  work: Work,
  customer: number,
  label: Label,
  workflowRun: number | null = null,
): Promise<boolean> {
  const { tx, providerId } = work;
  const before = await worn(work, customer);
  if (!before?.labels.includes(label.id)) return false;
  await tx.run(
    sql`DELETE FROM customer_label_link WHERE provider_id = ${providerId} AND customer_id = ${customer}
      AND customer_label_id = ${label.id}`,
  );
  noteCustomerLabels(work, before.row, {
    before: before.labels,
    after: before.labels.filter((id) => id !== label.id),
  });
  work.record(customerLabelsFeed.removed, customer, {
    customer,
    customer_label: label.id,
    label: label.slug,
    workflow_run: workflowRun,
  });
  work.effect('label_removed', 'customer', customer, { label: label.slug });
  return true;
}

interface Worn {
  readonly row: CustomerRow;
  readonly labels: readonly number[];
}

/** Returns the customer, locked: if two requests add the same label, the second finds it there. */
async function worn(work: Work, customer: number): Promise<Worn | undefined> {
  const [row] = await lockCustomers(work, [customer]);
  if (!row) return undefined;
  const labels = await work.tx.rows<{ id: number }>(
    sql`SELECT customer_label_id AS id FROM customer_label_link
      WHERE provider_id = ${work.providerId} AND customer_id = ${customer} ORDER BY 1`,
  );
  return { row, labels: labels.map((l) => l.id) };
}
