/** The instructors that the rows of a schedule name. A name finds somebody only if exactly one instructor has it. */
import { columnTemplate } from '../../../../kernel/base/csv/template.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { shortened, textIn, type Issue, type Portion } from './portion.ts';

/** The part of a reason that `missing_instructors` finds. */
export const UNKNOWN_INSTRUCTOR = 'is the name of no instructor here; the event is imported without them';
export const NOT_TEACHING = 'works here, but is no instructor; the event is imported without them';
const SEVERAL = 'is the name of several instructors here; the event is imported without them';

export interface Taught {
  readonly ids: readonly number[];
  /** heading of the column */
  readonly column: string;
  /** the cell as it is written */
  readonly value: string;
  readonly issues: readonly Issue[];
}

interface Member extends Record<string, unknown> {
  readonly staff: number;
  readonly instructor: number | null;
  readonly names: readonly string[];
}

const BETWEEN = /\s*[;,/&+|\n]\s*|\s+(?:and|und|et|y|e|en|i)\s+/iu;

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns "Ada King" for "King, Ada". */
const turned = (text: string): string => text.replace(/^([^,]+),([^,]+)$/, '$2 $1');

const partsOf = (text: string): string[] => text.split(BETWEEN).filter((part) => part.trim() !== '');

/** Returns the instructors by the line of the row that names them; lines without a name are left out. */
export async function instructorsIn(portion: Portion): Promise<Map<number, Taught>> {
  const at = portion.columns.findIndex(({ property }) => property === 'instructor');
  if (at < 0) return new Map();
  const column = portion.columns[at].heading;
  const template = columnTemplate(at, column);
  const cells = portion.rows.flatMap((row) => {
    const text = textIn(template, row);
    return text === null ? [] : [{ line: row.line, text }];
  });
  const byName = await membersNamed(
    portion,
    cells.flatMap(({ text }) => [text, turned(text), ...partsOf(text)]),
  );
  return new Map(
    cells.map(({ line, text }) => {
      const whole = [text, turned(text)].find((name) => byName.has(plain(name)));
      const found = (whole === undefined ? partsOf(text) : [whole]).map((name) => ({
        name,
        result: find(byName.get(plain(name)) ?? []),
      }));
      const ids = [...new Set(found.flatMap(({ result }) => (typeof result === 'number' ? result : [])))];
      const issues = found.flatMap(({ name, result }) =>
        typeof result === 'number' ? [] : [{ column, value: shortened(name.trim()), reason: result }],
      );
      return [line, { ids, column, value: shortened(text), issues }];
    }),
  );
}

/** Returns the only instructor, or the reason why there is none. */
function find(members: readonly Member[]): number | string {
  const teaching = members.flatMap(({ instructor }) => instructor ?? []);
  if (teaching.length === 1) return teaching[0];
  if (teaching.length > 1) return SEVERAL;
  return members.length > 0 ? NOT_TEACHING : UNKNOWN_INSTRUCTOR;
}

/** Finds staff by the name that customers see, or by their first and last name. */
async function membersNamed(
  { work: { tx, providerId } }: Portion,
  names: readonly string[],
): Promise<Map<string, Member[]>> {
  const asked = [...new Set(names.map(plain))];
  if (asked.length === 0) return new Map();
  const members = await tx.rows<Member>(
    sql`SELECT m.staff, m.instructor, m.names
      FROM (SELECT s.id AS staff, i.id AS instructor, ARRAY[
          lower(regexp_replace(trim(coalesce(i.name, '')), '\\s+', ' ', 'g')),
          lower(regexp_replace(trim(s.first_name || ' ' || s.last_name), '\\s+', ' ', 'g'))] AS names
        FROM staff s
        LEFT JOIN instructor i ON i.provider_id = s.provider_id AND i.staff_id = s.id AND NOT i.archived
        WHERE s.provider_id = ${providerId} AND (i.id IS NOT NULL OR NOT s.archived)) m
      WHERE m.names && ${asked}::text[] ORDER BY m.staff`,
  );
  const byName = new Map<string, Member[]>();
  for (const member of members)
    for (const name of new Set(member.names)) byName.set(name, [...(byName.get(name) ?? []), member]);
  return byName;
}
