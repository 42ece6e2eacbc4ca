/** What is known of the holds of a customer membership: none, as long as nothing keeps holds. */
import { raw, type Sql } from '../../kernel/db/sql.ts';

/** The hold that customer membership `t` is in, or the next that is to come; null: none. */
export const activeHold = (_t: string): Sql => raw('NULL::bigint');

/** First day of that hold, and its last (null: nobody has ended it). */
export const activeHoldStart = (_t: string): Sql => raw('NULL::date');
export const activeHoldEnd = (_t: string): Sql => raw('NULL::date');

/** All of its holds as jsonb: a list of `{ start, end, prorates }`, dates of the business; `prorates`: it shrinks what may be used. */
export const holdsOf = (_t: string): Sql => raw("'[]'::jsonb");
