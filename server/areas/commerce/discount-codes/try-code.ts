/** The effect of a code on a purchase, or the reason why it has none. */
import { byCode, byId, readCircumstances, readCode, type KnownCode } from './facts.ts';
import { discounted, discountText, type Discounted, type DiscountedItem } from './rules/amounts.ts';
import { DISCOUNT_PROBLEMS } from './problems.ts';
import { listObstacles, unknownText, type UsableReason } from './rules/usable.ts';
import { Problem, type ProblemKind } from '../../../kernel/base/problem.ts';
import type { CodeItem } from './rules/code.ts';
import type { PlanTerms } from './rules/cycles.ts';
import type { Wording, Wordings } from '../../../kernel/base/values/wording.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface AppliedCode {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** total taken off all items, in minor units */
  readonly discount: number;
  /** calculation in words: `20% of $80.00` */
  readonly explanation: string;
  /** one for each given item, in the same order */
  readonly items: readonly DiscountedItem[];
  /** terms that recurring plans bought with it keep, except for a flat amount, of which each plan keeps its own part */
  readonly terms: PlanTerms;
}

interface Asked {
  /** the code as entered */
  readonly code: string;
  /** owner of the checkout */
  readonly customer: number;
  readonly items: readonly CodeItem[];
  /** the checkout that asks: its own use isn't counted against it */
  readonly checkout?: number;
}

export const KIND_OF: Record<UsableReason, ProblemKind> = {
  inactive: DISCOUNT_PROBLEMS.discount_code_invalid,
  not_started: DISCOUNT_PROBLEMS.discount_code_not_valid_today,
  ended: DISCOUNT_PROBLEMS.discount_code_not_valid_today,
  used_up: DISCOUNT_PROBLEMS.discount_code_used_up,
  household_limit: DISCOUNT_PROBLEMS.discount_code_limit_reached,
  new_customers_only: DISCOUNT_PROBLEMS.discount_code_new_customers_only,
};

const refusal = (kind: ProblemKind, text: Wording): Problem => new Problem(kind, text, { discount_code: [text] });

/** Evaluates a code without writing anything. */
export async function tryCode(work: Work, asked: Asked): Promise<AppliedCode | { refused: Problem }> {
  const code = await readCode(work, byCode(asked.code));
  if (!code) return { refused: refusal(DISCOUNT_PROBLEMS.discount_code_invalid, unknownText(asked.code)) };
  const obstacle = await obstacleOf(work, code, asked);
  if (obstacle) return { refused: obstacle };
  const found = discounted(code.rules, asked.items);
  if (found.discount === 0)
    return { refused: refusal(DISCOUNT_PROBLEMS.discount_code_not_applicable, whyNothing(code, found)) };
  return {
    id: code.id,
    code: code.rules.code,
    name: code.name,
    discount: found.discount,
    explanation: discountText(code.rules.discount, found.base, work.tenant.currency),
    items: found.items,
    terms: { discount: code.rules.discount, cycles: code.cycles },
  };
}

async function obstacleOf(
  work: Work,
  code: KnownCode,
  { customer, checkout }: Pick<Asked, 'customer' | 'checkout'>,
): Promise<Problem | null> {
  const [first] = listObstacles(
    code.rules,
    await readCircumstances(work, code, { customer, checkout: checkout ?? null }),
  );
  return first ? refusal(KIND_OF[first.reason], first.text) : null;
}

/** @throws Problem if this household can no longer use the code. Call it with the code locked. */
export async function checkUsable(work: Work, id: number, customer: number, checkout: number): Promise<void> {
  const code = await readCode(work, byId(id));
  if (!code) throw refusal(DISCOUNT_PROBLEMS.discount_code_invalid, unknownText(`with the id ${id}`));
  const obstacle = await obstacleOf(work, code, { customer, checkout });
  if (obstacle) throw obstacle;
}

function whyNothing(code: KnownCode, { items }: Discounted): Wordings {
  if (items.some(({ applies }) => applies))
    return {
      staff: `The items that the discount code ${code.rules.code} applies to are free.`,
      customer: 'The items that this discount code applies to are free, so you don’t need it.',
    };
  const reasons = items.flatMap(({ why }) => (why ? [why] : []));
  const [only, another] = [...new Map(reasons.map((why) => [why.staff, why])).values()];
  if (only && !another) return only;
  return {
    staff: `The discount code ${code.rules.code} does not apply to anything in this purchase. ${reasons.map(({ staff }) => staff).join(' ')}`,
    customer: 'This discount code doesn’t apply to anything in this purchase.',
  };
}
