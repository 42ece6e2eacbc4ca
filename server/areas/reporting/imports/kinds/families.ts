/**
 * Families in a file of customers: people who share an address, whom a column names as one family, or who name the
 * address of a guardian.
 */
import { addressesIn } from './rules/address.ts';
import { readYesNo } from './rules/yes-no.ts';
import { addressKey } from '../../../../kernel/base/values/mail-address.ts';
import { joinFamilies } from '../../../people/customers/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { templateOf, textIn, type Issue, type Outcomes, type Portion } from './portion.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { Person } from '../../../people/customers/index.ts';

/** A person of the file. */
export interface Found {
  readonly person: Person;
  readonly externalId: string | null;
  readonly issues: readonly Issue[];
  /** the address that several people of the file have, or the name of a family; null if the file names none */
  readonly family: string | null;
  /** true for a child, or anybody whom somebody else manages; false for an adult; null if the file doesn't say */
  readonly dependent: boolean | null;
}

const ADULT_YEARS = 18;

/** Returns what a row says about the family of its person. */
export function familyIn(portion: Portion, row: CsvRow, person: Person): Pick<Found, 'family' | 'dependent'> {
  const text = textIn(templateOf(portion, 'family'), row);
  const said = textIn(templateOf(portion, 'is_dependent'), row) ?? '';
  const [address] = text === null ? [] : addressesIn(text);
  const family = text === null ? null : address === undefined ? `#${text.toLowerCase()}` : addressKey(address);
  if (readYesNo(said) === true) return { family, dependent: true };
  const { date: today } = wallAt(portion.work.now, portion.work.tenant.zone);
  const adultSince = `${Number(today.slice(0, 4)) - ADULT_YEARS}${today.slice(4)}`;
  const { date_of_birth: born } = person;
  return { family, dependent: born === null ? (readYesNo(said) === false ? false : null) : born > adultSince };
}

const nameOf = ({ first_name: first, last_name: last }: Pick<Person, 'first_name' | 'last_name'>) =>
  [first, last].filter(Boolean).join(' ');

/** Links the people of a portion to their guardians. A guardian is known by their address, or is the family's adult. */
export async function linkFamilies(portion: Portion, written: readonly Found[], outcomes: Outcomes): Promise<void> {
  const { work } = portion;
  const named = written.filter(({ family }) => family !== null);
  if (named.length === 0) return;
  const customerOf = ({ person }: Found): number => outcomes.get(person.line)!.object!;
  const guardians = new Map<string, { readonly id: number; readonly name: string }>();
  const stored = await work.tx.rows<{ id: number; email: string; first_name: string; last_name: string }>(
    sql`SELECT id, lower(email) AS email, first_name, last_name FROM customer
      WHERE provider_id = ${work.providerId} AND deleted_at IS NULL AND NOT is_guest
        AND lower(email) = ANY(${named.map(({ family }) => family!)}::text[])`,
  );
  for (const row of stored) guardians.set(row.email, { id: row.id, name: nameOf(row) });
  for (const [family, people] of Map.groupBy(named, (one) => one.family!)) {
    if (guardians.has(family) || !family.startsWith('#')) continue;
    const head =
      people.find(({ person, dependent }) => dependent === false && person.email !== null) ??
      people.find(({ person, dependent }) => dependent !== true && person.email !== null) ??
      people.find(({ dependent }) => dependent !== true);
    if (head) guardians.set(family, { id: customerOf(head), name: nameOf(head.person) });
  }
  const links = named.flatMap((one) => {
    const guardian = guardians.get(one.family!);
    return guardian && guardian.id !== customerOf(one) ? [{ one, guardian }] : [];
  });
  const joined = await joinFamilies(
    work,
    links.map(({ one, guardian }) => ({
      customer: customerOf(one),
      guardian: guardian.id,
      role: one.dependent === false ? 'manager' : 'child',
    })),
  );
  const column = templateOf(portion, 'family')?.column ?? templateOf(portion, 'email')?.column ?? '';
  for (const one of named) {
    const { fate, object, issues } = outcomes.get(one.person.line)!;
    const link = links.find((other) => other.one === one);
    if (link && joined.has(object!))
      outcomes.set(one.person.line, {
        fate: fate === 'unchanged' ? 'changed' : fate,
        object,
        issues: [...issues, { column, value: '', reason: `joins the family of ${link.guardian.name}` }],
      });
    else if (!guardians.has(one.family!))
      outcomes.set(one.person.line, {
        fate,
        object,
        issues: [
          ...issues,
          { column, value: '', reason: 'names a family of which nobody is a customer yet: import the file again' },
        ],
      });
  }
}
