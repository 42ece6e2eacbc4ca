/**
 * What the schedule knows of customers' memberships. The area's own face reaches further, to changes that need the
 * schedule in turn.
 */
export {
  ANY,
  beginning,
  choose,
  entitlementColumn,
  entitlementsOf,
  usableBy,
  type Entitlements,
  type Payment,
} from './facts.ts';
export { begin, credit, debit, lockPayers, payingMembership, tellUse } from './ledger.ts';
export { MEMBERSHIP_PROBLEMS } from '../problems.ts';
export { type Choice, type Refused } from './rules/choice.ts';
