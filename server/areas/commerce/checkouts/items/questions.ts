/** Questions that customers answer before they buy a membership. */
import { formsBeforePurchase } from '../../../agreements/customer-fields/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { SCHEDULE_PROBLEMS } from '../../../scheduling/schedule/index.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';
import type { ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Refuses customers who have not answered the questions about a membership among these items. Staff sell it anyway. */
export async function checkAnswered(
  work: Work,
  items: readonly Pick<ItemRow, 'customer_id' | 'membership_id'>[],
): Promise<void> {
  if (work.viewer.mode === 'provider') return;
  const wanted = items.flatMap(({ customer_id: customer, membership_id: membership }) =>
    membership === null ? [] : [{ customer, membership }],
  );
  if (wanted.length === 0) return;
  const missing = await formsBeforePurchase(work, wanted);
  if (missing.length === 0) return;
  const titles = [...new Set(missing.map(({ title }) => `“${title}”`))].join(', ');
  throw new Problem(SCHEDULE_PROBLEMS.requirements_missing, {
    staff: `The customer has not completed ${titles}. They must complete it before they buy this membership.`,
    customer: say`Complete ${titles} before you buy this ${one.membership}.`,
  }).requiring(missing);
}
