/** Values of PostgreSQL's text format as values of the program. */
import pg from 'pg';
import type { Column } from './sql.ts';
import { parsePgInstant } from '../values/zone.ts';

const arrayParser = (oid: number) => pg.types.getTypeParser(oid as never) as unknown as (text: string) => unknown[];
const DECODERS: Record<number, (text: string) => unknown> = {
  16: (t) => t === 't',
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  114: JSON.parse,
  3802: JSON.parse,
  1114: (t) => t.replace(' ', 'T'),
  1184: parsePgInstant,
  1016: (t) => arrayParser(1009)(t).map(Number),
  1007: (t) => arrayParser(1009)(t).map(Number),
  1009: arrayParser(1009),
  1182: arrayParser(1009),
};

/** Returns a row as an object: see `Transaction` for the types of its values. */
export function toObject(columns: readonly Column[], row: (string | null)[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) {
    const text = row[i];
    object[columns[i].name] = text === null ? null : (DECODERS[columns[i].type]?.(text) ?? text);
  }
  return object;
}
