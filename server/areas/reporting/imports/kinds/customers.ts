/** Customers, identified by their external id or by their email address. */
import { importNumbers, readPhoneOf } from '../../../communication/messages/index.ts';
import { knownAs, LONGEST_ID, recall, remember } from '../remembered.ts';
import { writeAnswersOf } from '../answers.ts';
import { addressesIn } from './rules/address.ts';
import { countryOf } from './business.ts';
import { writeExtras } from './extras.ts';
import { familyIn, linkFamilies, type Found } from './families.ts';
import { isAddress } from './is-address.ts';
import { numbersIn } from './rules/phone.ts';
import { partOfName } from './names.ts';
import { readPerson, storedHere, writePeople, type Person } from '../../../people/customers/index.ts';
import {
  changed,
  isNothing,
  issueOf,
  NOWHERE,
  rejected,
  shortened,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { readDay } from './rules/day.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Template } from '../../../../kernel/base/csv/template.ts';

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
  const rows = new Map(portion.rows.map((row) => [row.line, row]));
  const customers = written.map(({ person: { line } }) => ({
    row: rows.get(line)!,
    customer: fates.get(line)!.customer,
  }));
  const answers = await writeAnswersOf(portion, customers);
  const extras = await writeExtras(portion, customers);
  for (const { person, issues } of written) {
    const { fate, customer } = fates.get(person.line)!;
    const more = [answers.get(person.line), extras.get(person.line)].filter((one) => one !== undefined);
    outcomes.set(person.line, {
      fate: fate === 'unchanged' && more.some((one) => one.changed) ? 'changed' : fate,
      object: customer,
      issues: [...issues, ...more.flatMap((one) => one.issues)],
    });
  }
  await linkFamilies(portion, written, outcomes);
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
  const country = await countryOf(work);
  const idColumn = templateOf(portion, 'external_id');
  const birth = templateOf(portion, 'date_of_birth');
  const mail = templateOf(portion, 'email');
  const bornBy = Number(wallAt(work.now, work.tenant.zone).date.slice(0, 4));
  const mapping = {
    email: mail ? changed(mail, (text) => (isNothing(text) ? null : usableAddress(text))) : NOWHERE,
    ...namesOf(portion),
    date_of_birth: birth && changed(birth, (text) => readDay(text, { order: dateFormat, bornBy }) ?? text),
    phone_number: templateOf(portion, 'phone_number'),
    dateFormat,
  };
  const readPhone = (text: string) => {
    const [entered] = numbersIn(text);
    const phone = readPhoneOf(entered, country);
    return phone
      ? { ...phone, entered }
      : { problem: `is not a phone number of ${country}, or one with its country code` };
  };
  const today = new Date(work.now + 86_400_000).toISOString().slice(0, 10);
  return rows.flatMap((row) => {
    const state = stateIn(portion, 'status', row) ?? 'customer';
    if (state === 'left_out') {
      outcomes.set(row.line, rejected(issueOf(templateOf(portion, 'status'), row, 'means that the row is left out')));
      return [];
    }
    const externalId = textIn(idColumn, row);
    const { person: read, faults } = readPerson({ mapping, today, readPhone, anybody: true }, row);
    const issues = faults.map(({ column, value, reason }): Issue => ({ column, value: shortened(value), reason }));
    if (externalId !== null && externalId.length > LONGEST_ID) {
      outcomes.set(row.line, rejected(issueOf(idColumn, row, `is longer than ${LONGEST_ID} characters`)));
      return [];
    }
    const entered = textIn(mail, row);
    const addresses = entered === null ? [] : addressesIn(entered);
    if (read && entered !== null && read.email === null)
      issues.push(issueOf(mail, row, 'is not an email address; this person is imported without one'));
    if (addresses.length > 1)
      issues.push(issueOf(mail, row, `has several addresses; only ${addresses[0]} is imported`));
    const numbers = read?.phone ? numbersIn(textIn(mapping.phone_number, row) ?? '') : [];
    if (numbers.length > 1)
      issues.push(issueOf(mapping.phone_number, row, `has several numbers; only ${numbers[0]} is imported`));
    if (read) {
      const person = { ...read, is_lead: state === 'lead' };
      return [{ person, externalId: externalId ?? ownKey(person), issues, ...familyIn(portion, row, person) }];
    }
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

/**
 * Keeps each person once. If several share an address, an adult has it, or else the first; the others join their
 * family.
 */
async function once(portion: Portion, found: readonly Found[], outcomes: Outcomes): Promise<Found[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    found.flatMap(({ person, externalId }) => [externalId ?? [], sharedKey(person) ?? []].flat()),
    found.flatMap(({ person }) => addressOf(person) ?? []),
  );
  const column = templateOf(portion, 'email')?.column ?? '';
  const idColumn = templateOf(portion, 'external_id')?.column ?? '';
  const lineOf = (key: string | null) => (key === null ? undefined : (seen.own.get(key) ?? earlier.own.get(key)));
  // If several people have one address, it belongs to an adult.
  const ordered = found.toSorted((a, b) => Number(a.dependent === true) - Number(b.dependent === true));
  const kept = ordered.flatMap((one) => {
    const { person, externalId } = one;
    const address = addressOf(person);
    const sharer = address === null ? undefined : (seen.shared.get(address) ?? earlier.shared.get(address));
    const twin = lineOf(externalId) ?? (externalId === null ? lineOf(sharedKey(person)) : undefined);
    const again = (of: Omit<Issue, 'reason'>, line: number) =>
      outcomes.set(person.line, rejected({ ...of, reason: `is already in line ${line}` }));
    if (twin !== undefined) {
      const own = externalId !== null && !externalId.startsWith(NAMED);
      return (again(own ? { column: idColumn, value: externalId } : { column, value: person.email ?? '' }, twin), []);
    }
    const nameless = person.first_name === null && person.last_name === null;
    if (sharer !== undefined && externalId === null && nameless)
      return (again({ column, value: person.email! }, sharer), []);
    // The key of a person who shares an address is their name with it: the file may be imported again.
    const key = externalId ?? sharedKey(person);
    if (key !== null) seen.own.set(key, person.line);
    if (sharer === undefined && address !== null) seen.shared.set(address, person.line);
    if (sharer === undefined) return [one];
    return [{ ...withoutAddress(one, column, sharedBy(sharer)), externalId: key, family: one.family ?? address }];
  });
  return kept.toSorted((a, b) => a.person.line - b.person.line);
}

/** Prefix of the keys of people without an id and an address of their own. */
const NAMED = 'name:';

const namedKey = ({ first_name: first, last_name: last }: Person, more: string): string =>
  `${NAMED}${`${first ?? ''} ${last ?? ''}`.trim().toLowerCase()}|${more}`.slice(0, LONGEST_ID);

/** Returns the key of a person without an id and an address: their name and date of birth; null if they have one. */
const ownKey = (person: Person): string | null =>
  person.email !== null || (person.first_name === null && person.last_name === null)
    ? null
    : namedKey(person, person.date_of_birth ?? '');

/** Returns the key that a person has if somebody else has their address; null without an address. */
const sharedKey = (person: Person): string | null =>
  person.email === null ? null : namedKey(person, addressOf(person)!);

/** Returns the first address of a cell; null if there is none: a cell that can't be read costs only itself. */
function usableAddress(text: string): string | null {
  const [first] = addressesIn(text);
  return first !== undefined && isAddress(first) ? first : null;
}

const withoutAddress = (one: Found, column: string, reason: string): Found => ({
  ...one,
  person: { ...one.person, email: null },
  issues: [...one.issues, { column, value: one.person.email!, reason }],
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
