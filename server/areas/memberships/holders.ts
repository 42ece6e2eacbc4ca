/** Who holds a membership, for what a membership shows of them. Its table is that of the area of what customers hold. */
import { raw, type Sql } from '../../kernel/db/sql.ts';

const held = (t: string): string => `FROM customer_membership held WHERE held.provider_id = ${t}.provider_id AND held.membership_id = ${t}.id AND held.status IN ('active', 'hold')`;

/** How many customers hold membership `t` now, active or on hold. */
export const activeMemberCount = (t: string): Sql => raw(`(SELECT count(DISTINCT held.customer_id) ${held(t)})`);

/** Whether anybody does. */
export const hasActiveMembers = (t: string): Sql => raw(`EXISTS (SELECT ${held(t)})`);
