import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { changeApplicabilities } from './change-applicabilities.ts';
import { changeCodes } from './change-codes.ts';
import { discountCode, discountCodeGroup } from './discount-code.ts';
import { discountCodeApplicability } from './applicability.ts';
import { DISCOUNT_PROBLEMS } from './problems.ts';
import { FEED } from './feed.ts';
import { findCodes } from './find-codes.ts';
import { generate } from './generate.ts';
import { planProperties } from './plans.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { switches } from './switch-all.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { createCode } from './change-codes.ts';
export { countGuess } from './guesses.ts';
export { DISCOUNT_PROBLEMS } from './problems.ts';
export { tryCode, type AppliedCode } from './try-code.ts';
export { confirmUse, releaseUse, reserveUse } from './uses.ts';
export { plansOf } from './plans.ts';
export { discountOfCycle, type PlanTerms } from './rules/cycles.ts';
export type { CodeItem } from './rules/code.ts';

const taken = (field: string, message: string) => () =>
  new Problem('already_exists', `${field}: ${message}`, { [field]: [message] });

export const discountCodes: Area = {
  name: 'discount_codes',
  description: 'Codes that customers enter to pay less: what they are for, how often they can be used, and by whom.',
  tables: TABLES,
  translations: readTranslations('discount-codes/refusals'),
  resources: [discountCode, discountCodeGroup, discountCodeApplicability],
  endpoints: [...findCodes, ...changeCodes, generate, ...switches, ...changeApplicabilities],
  problems: DISCOUNT_PROBLEMS,
  properties: { customermembership: planProperties },
  feed: FEED,
  constraints: {
    discount_code_code: taken(
      'code',
      'Another discount code is the same. Upper and lower case, spaces and dashes make no difference.',
    ),
    discount_code_applicability_one: taken('item', 'The discount code already has an applicability for this object.'),
    discount_code_uses: () =>
      new Problem(DISCOUNT_PROBLEMS.discount_code_used_up, say`This discount code has been used up.`),
    discount_code_household_uses: () =>
      new Problem(DISCOUNT_PROBLEMS.discount_code_limit_reached, {
        staff: 'The customer or their family has used this discount code as often as it allows.',
        customer: 'You or your family have used this discount code as often as it allows.',
      }),
  },
};
