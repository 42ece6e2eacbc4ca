/** Case-insensitive text filters. The text is taken literally: no character of it is a pattern. */
import { filter, type Filter } from '../filter.ts';
import { raw, param, sql, type Sql } from '../../base/db/sql.ts';
import { text } from '../../base/fields/kinds.ts';
import type { Input } from '../../work/access/viewer.ts';

export const escapeLike = (literal: string): string => literal.replace(/[\\%_]/g, '\\$&');

const anywhere = (piece: string): string => `%${escapeLike(piece.toLowerCase())}%`;

/** Returns a filter for rows whose `column` contains the text sent as `name`. */
export function contains(name: string, column = 'name'): Filter {
  const pattern = param<Input>((i) => anywhere(i.query[name]));
  const field = text({ max: 200 }).describe(`Only those whose ${column} contains this text, ignoring case.`);
  return filter(field, (t) => sql`lower(${raw(`${t}.${column}`)}) LIKE ${pattern}`);
}

/**
 * Returns a filter for rows where each word of the text sent as `name` occurs somewhere in `of`. For small tables: no
 * index supports it.
 */
export function everyWord(name: string, of: (t: string) => Sql, description: string): Filter {
  const patterns = param<Input>((i) => i.query[name].split(/\s+/).filter(Boolean).map(anywhere));
  return filter(text({ max: 200 }).describe(description), (t) => sql`lower(${of(t)}) LIKE ALL(${patterns}::text[])`);
}
