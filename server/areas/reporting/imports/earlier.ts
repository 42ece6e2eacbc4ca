/** Decisions about the last imported file with the same columns: an export of a later day asks nothing again. */
import { datesOf, type Recognised } from './recognise.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { withAnswers } from './answers.ts';
import { wordsIn } from './words/questions.ts';
import type { KindName } from './columns/index.ts';
import type { StoredImport } from './stored.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Decided {
  readonly read: Recognised;
  /** absent if no such file was imported */
  readonly earlier?: StoredImport;
}

/** `given`: the kind that the request names; null if it names none */
export async function withEarlier(work: Work, read: Recognised, given: KindName | null): Promise<Decided> {
  const earlier = await lastLike(work, read);
  if (!earlier || (given !== null && given !== earlier.kind) || isOtherTime(earlier.kind, read.kind))
    return { read: { ...read, columns: await withAnswers(work, read.kind, read.columns) } };
  const { kind } = earlier;
  const columns = read.columns.map((column, i) => ({ ...column, property: earlier.columns[i].property }));
  const dates = datesOf(kind, columns, read.rows);
  const words = wordsIn(kind, columns, read.rows, earlier.words);
  const isDecided = dates.unclear && earlier.date_format !== null;
  return {
    read: {
      ...read,
      kind,
      unclear: false,
      columns,
      words,
      dates: isDecided ? { format: earlier.date_format, unclear: false } : dates,
    },
    earlier,
  };
}

/** Files of bookings and of past visits have the same columns: the days of the new rows decide. */
const isOtherTime = (before: KindName, now: KindName): boolean =>
  (before === 'bookings' && now === 'visits') || (before === 'visits' && now === 'bookings');

const lastLike = async ({ tx, providerId }: Work, { columns }: Recognised): Promise<StoredImport | undefined> =>
  (await tx.one<StoredImport & Record<string, unknown>>(
    sql`SELECT * FROM import i WHERE provider_id = ${providerId} AND status = 'complete'
        AND (SELECT jsonb_agg(c->'heading' ORDER BY n) FROM jsonb_array_elements(i.columns) WITH ORDINALITY AS x (c, n))
          = ${json(columns.map(({ heading }) => heading))}::jsonb
      ORDER BY id DESC LIMIT 1`,
  )) ?? undefined;
