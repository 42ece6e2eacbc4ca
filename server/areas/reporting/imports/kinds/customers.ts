/** Customers, identified by their external id or by their email address. */
import { importNumbers, readPhoneOf } from '../../../communication/messages/index.ts';
import { knownAs, LONGEST_ID, recall, remember } from '../remembered.ts';
import { partOfName } from './names.ts';
import { readPerson, storedHere, writePeople, type Person } from '../../../people/customers/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import {
  issueOf,
  NOWHERE,
  rejected,
  shortened,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import type { Template } from '../../../../kernel/base/csv/template.ts';

interface Found {
  readonly person: Person;
  readonly externalId: string | null;
  readonly issues: readonly Issue[];
}

export const writeCustomers: WriteRows = async (portion) => {
  const { work, source } = portion;
  const outcomes: Outcomes = new Map();
  const found = await once(portion, await readPeople(portion, outcomes), outcomes);
  const ids = await recall(
    work,
    'customer',
    source,
    found.flatMap(({ externalId }) => externalId ?? []),
  );
  const byLine = new Map(
    found.flatMap(({ person, externalId }) => {
      const id = externalId === null ? undefined : ids.get(externalId);
      return id === undefined ? [] : [[person.line, id] as const];
    }),
  );
  const somebody = found.filter(({ person, externalId }) => {
    const known =
      byLine.has(person.line) || person.email !== null || person.first_name !== null || person.last_name !== null;
    if (!known)
      outcomes.set(
        person.line,
        rejected({ column: '', value: externalId ?? '', reason: 'has neither a name nor an email address' }),
      );
    return known;
  });
  const people = await withoutTaken(portion, somebody, byLine);
  const stored = await storedHere(
    work,
    people.map(({ person }) => person),
    byLine,
  );
  const lives = new Set([...stored.values()].map(({ id }) => id));
  const written = people.filter(({ person }) => {
    const id = byLine.get(person.line);
    const gone = id !== undefined && !lives.has(id) && !stored.has(person.email?.toLowerCase() ?? '');
    if (gone)
      outcomes.set(
        person.line,
        rejected({ column: '', value: '', reason: 'was imported before, and has been deleted here since' }),
      );
    return !gone;
  });
  const { fates } = await writePeople(
    work,
    written.map(({ person }) => person),
    stored,
    { invite: false, keepPhones: importNumbers },
  );
  for (const { person, issues } of written) {
    const { fate, customer } = fates.get(person.line)!;
    outcomes.set(person.line, { fate, object: customer, issues });
  }
  await remember(
    work,
    'customer',
    source,
    written.flatMap(({ person, externalId }) =>
      externalId === null ? [] : [[externalId, fates.get(person.line)!.customer] as const],
    ),
  );
  return outcomes;
};

/** Reads the people whose rows have enough data. */
async function readPeople(portion: Portion, outcomes: Outcomes): Promise<Found[]> {
  const { work, rows, dateFormat } = portion;
  const country = (await work.tx.one<{ country: string }>(
    sql`SELECT country FROM provider WHERE provider_id = ${work.providerId}`,
  ))!.country;
  const idColumn = templateOf(portion, 'external_id');
  const mapping = {
    email: templateOf(portion, 'email') ?? NOWHERE,
    ...namesOf(portion),
    date_of_birth: templateOf(portion, 'date_of_birth'),
    phone_number: templateOf(portion, 'phone_number'),
    dateFormat,
  };
  const readPhone = (entered: string) => {
    const phone = readPhoneOf(entered, country);
    return phone
      ? { ...phone, entered }
      : { problem: `is not a phone number of ${country}, or one with its country code` };
  };
  const today = new Date(work.now + 86_400_000).toISOString().slice(0, 10);
  return rows.flatMap((row) => {
    const externalId = textIn(idColumn, row);
    const { person, faults } = readPerson({ mapping, today, readPhone, anybody: externalId !== null }, row);
    const issues = faults.map(({ column, value, reason }): Issue => ({ column, value: shortened(value), reason }));
    if (externalId !== null && externalId.length > LONGEST_ID)
      issues.push(issueOf(idColumn, row, `is longer than ${LONGEST_ID} characters`));
    if (person && (externalId?.length ?? 0) <= LONGEST_ID) return [{ person, externalId, issues }];
    outcomes.set(row.line, rejected(...issues));
    return [];
  });
}

function namesOf(portion: Portion): { readonly first_name?: Template; readonly last_name?: Template } {
  const [first, last, whole] = ['first_name', 'last_name', 'name'].map((name) => templateOf(portion, name));
  if (first || last || !whole) return { first_name: first, last_name: last };
  return { first_name: partOfName(whole, 'first_name'), last_name: partOfName(whole, 'last_name') };
}

const sharedBy = (line: number): string =>
  `belongs to the customer in line ${line} already; this one is imported without an address`;

const addressOf = ({ email }: Person): string | null => email?.toLowerCase() ?? null;

/** Keeps each person once. If several share an address, the first one has it. */
async function once(portion: Portion, found: readonly Found[], outcomes: Outcomes): Promise<Found[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    found.flatMap(({ externalId }) => externalId ?? []),
    found.flatMap(({ person }) => addressOf(person) ?? []),
  );
  const column = templateOf(portion, 'email')?.column ?? '';
  const idColumn = templateOf(portion, 'external_id')?.column ?? '';
  return found.flatMap((one) => {
    const { person, externalId } = one;
    const address = addressOf(person);
    const twin = externalId === null ? undefined : (seen.own.get(externalId) ?? earlier.own.get(externalId));
    const sharer = address === null ? undefined : (seen.shared.get(address) ?? earlier.shared.get(address));
    const again = (of: Omit<Issue, 'reason'>, line: number) =>
      outcomes.set(person.line, rejected({ ...of, reason: `is already in line ${line}` }));
    if (twin !== undefined) return (again({ column: idColumn, value: externalId! }, twin), []);
    if (sharer !== undefined && externalId === null) return (again({ column, value: person.email! }, sharer), []);
    if (externalId !== null) seen.own.set(externalId, person.line);
    if (sharer === undefined && address !== null) seen.shared.set(address, person.line);
    return sharer === undefined ? [one] : [withoutAddress(one, column, sharedBy(sharer))];
  });
}

const withoutAddress = ({ person, externalId, issues }: Found, column: string, reason: string): Found => ({
  externalId,
  person: { ...person, email: null },
  issues: [...issues, { column, value: person.email!, reason }],
});

/**
 * Removes people whose address already belongs to a customer with a different external id, from an earlier file of the
 * same source.
 */
async function withoutTaken(
  portion: Portion,
  found: readonly Found[],
  byLine: ReadonlyMap<number, number>,
): Promise<readonly Found[]> {
  const { work, source } = portion;
  const asking = found.filter(
    ({ person, externalId }) => externalId !== null && person.email !== null && !byLine.has(person.line),
  );
  const owners = await storedHere(
    work,
    asking.map(({ person }) => person),
    new Map(),
  );
  const names = await knownAs(
    work,
    'customer',
    source,
    [...owners.values()].map(({ id }) => id),
  );
  const column = templateOf(portion, 'email')?.column ?? '';
  return found.map((one) => {
    const owner = asking.includes(one) ? owners.get(one.person.email!.toLowerCase()) : undefined;
    const name = owner && names.get(owner.id);
    return name === undefined || name === one.externalId
      ? one
      : withoutAddress(one, column, `belongs to the customer ${name} already; this one is imported without an address`);
  });
}
