/** Staff members. They get no permissions: a person who knows why grants those here. */
import { changeStaffMember, createInstructor, createStaffMember } from '../../../people/staff/index.ts';
import {
  addressIn,
  issueOf,
  rejected,
  stateIn,
  templateOf,
  textIn,
  type Outcome,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { isAddress } from './is-address.ts';
import { nameFault } from '../../../../kernel/base/values/person-name.ts';
import { partOfName } from './names.ts';
import { recall, remember } from '../remembered.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

const TEACHES = /instruct|teach|train|coach|lehr|profess|enseign|insegn|docent/i;

interface Member {
  readonly id: number;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly teaches: boolean;
}

export const writeStaff: WriteRows = async (portion) => {
  const { work, rows, source } = portion;
  const outcomes: Outcomes = new Map();
  const idColumn = templateOf(portion, 'staff_id');
  const mailColumn = templateOf(portion, 'email');
  const asked = rows.map((row) => ({ row, id: textIn(idColumn, row), email: addressIn(mailColumn, row) }));
  const known = await recall(
    work,
    'staff',
    source,
    asked.flatMap(({ id }) => id ?? []),
  );
  const members = await work.tx.rows<Member & Record<string, unknown>>(
    sql`SELECT s.id, lower(s.email) AS email, s.first_name, s.last_name,
          EXISTS (SELECT FROM instructor i WHERE i.provider_id = s.provider_id AND i.staff_id = s.id) AS teaches
        FROM staff s WHERE s.provider_id = ${work.providerId} AND NOT s.archived
          AND (s.id = ANY(${[...known.values()]}::bigint[])
            OR lower(s.email) = ANY(${asked.flatMap(({ email }) => email?.toLowerCase() ?? [])}::text[]))`,
  );
  const earlier = await portion.earlier(
    asked.flatMap(({ email }) => email?.toLowerCase() ?? []),
    [],
  );
  const kept = new Map<string, number>();
  for (const { row, id, email } of asked) {
    const twin = email && (portion.seen.own.get(email.toLowerCase()) ?? earlier.own.get(email.toLowerCase()));
    if (twin) {
      outcomes.set(row.line, rejected(issueOf(mailColumn, row, `is already in line ${twin}`)));
      continue;
    }
    if (email) portion.seen.own.set(email.toLowerCase(), row.line);
    const before =
      members.find((one) => id !== null && one.id === known.get(id)) ??
      members.find((one) => one.email === email?.toLowerCase());
    const outcome = await writeOne(portion, row, email, before);
    outcomes.set(row.line, outcome);
    if (id !== null && outcome.object !== null) kept.set(id, outcome.object);
  }
  await remember(work, 'staff', source, [...kept]);
  return outcomes;
};

async function writeOne(
  portion: Portion,
  row: CsvRow,
  email: string | null,
  before: Member | undefined,
): Promise<Outcome> {
  const { work } = portion;
  const at = (property: string) => templateOf(portion, property);
  const state = stateIn(portion, 'status', row);
  if (state !== undefined && state !== 'working')
    return rejected(issueOf(at('status'), row, 'means that the row is left out'));
  const whole = at('name');
  const part = (property: 'first_name' | 'last_name') =>
    (textIn(at(property), row) ?? (whole ? textIn(partOfName(whole, property), row) : null))?.replaceAll(/\s+/g, ' ') ??
    null;
  const [first, last] = [part('first_name'), part('last_name')];
  if (email === null || !isAddress(email)) return rejected(issueOf(at('email'), row, 'is not an email address'));
  if (first === null || last === null)
    return rejected(issueOf(at('first_name') ?? whole, row, 'is no first and last name: both are needed'));
  if (first.length > 128 || last.length > 128)
    return rejected(issueOf(at('first_name') ?? whole, row, 'is longer than 128 characters'));
  if (nameFault(first) !== null || nameFault(last) !== null)
    return rejected(issueOf(at('first_name') ?? whole, row, 'is no name: it holds an address or invisible characters'));
  const teaches = TEACHES.test(textIn(at('role'), row) ?? '');
  const staff = before?.id ?? (await createStaffMember(work, { first_name: first, last_name: last, email }));
  const renamed = before !== undefined && (before.first_name !== first || before.last_name !== last);
  if (renamed) await changeStaffMember(work, staff, { first_name: first, last_name: last });
  const begins = teaches && !before?.teaches;
  if (begins) await createInstructor(work, { staff, name: `${first} ${last}` });
  const fate = before === undefined ? 'created' : renamed || begins ? 'changed' : 'unchanged';
  return { fate, object: staff, issues: [] };
}
