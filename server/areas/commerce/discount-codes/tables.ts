/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { BOOKS, kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('discount_code', 'discount_code_applicability', 'discount_code_group', 'discount_code_plan'),
  discount_code_use: kept('discounts', BOOKS),
};
