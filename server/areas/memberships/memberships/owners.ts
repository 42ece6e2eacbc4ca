/**
 * Who owns a membership, for what a membership shows of them. The number is kept by the table of what customers own.
 */
import { raw, type Sql } from '../../../kernel/db/sql.ts';

/** How many own membership `t` now, active or on hold. */
export const activeMemberCount = (t: string): Sql => raw(`${t}.active_member_count`);

/** Whether anybody does. */
export const hasActiveMembers = (t: string): Sql => raw(`${t}.active_member_count > 0`);
