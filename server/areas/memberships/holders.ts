/** Who holds a membership, for what a membership shows of them: nobody, as long as nothing keeps what customers hold. */
import { raw, type Sql } from '../../kernel/db/sql.ts';

/** How many customers hold membership `t` now, active or on hold. */
export const activeMemberCount = (_t: string): Sql => raw('0::bigint');

/** Whether anybody does. */
export const hasActiveMembers = (_t: string): Sql => raw('false');
