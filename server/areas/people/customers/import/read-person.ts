/**
 * Reads one row of a customer file as a person. Without an address, there is no person; any other mistake only skips
 * its cell.
 */
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { Issues } from '../../../../kernel/base/problem.ts';
import { readDate } from '../../../../kernel/base/csv/read-date.ts';
import { writable } from '../customer.ts';
import type { CompiledCustomerMapping } from './mapping.ts';
import type { CsvRow, Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import type { Field, Reading } from '../../../../kernel/base/fields/field.ts';
import type { Template } from '../../../../kernel/base/csv/template.ts';

/** A phone number as it was entered, and in international form. */
export interface Phone {
  readonly entered: string;
  readonly full: string;
  readonly country: string;
}

/** A person in the file; null: the file has no value. */
export interface Person {
  readonly line: number;
  /** null: they are identified differently, see `anybody` */
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly date_of_birth: string | null;
  readonly phone: Phone | null;
  /** true if they are new and have not bought anything yet */
  readonly is_lead?: boolean;
}

interface PersonRead {
  readonly person: Person | null;
  /** skipped cells, to be reported */
  readonly faults: readonly Rejection[];
}

/** The context for reading a row. */
export interface PersonReading {
  readonly mapping: CompiledCustomerMapping;
  /** latest possible date of birth, YYYY-MM-DD */
  readonly today: string;
  readPhone(text: string): Phone | { readonly problem: string };
  /** people without an address are read too: the file identifies them differently */
  readonly anybody?: boolean;
}

const OLDEST = '1880-01-01';

/** Returns the API's complaint about the text; null if it is valid. */
function complaint(field: Field<string>, text: string): string | null {
  const issues = new Issues();
  field.spec.read(text, 'value', { issues } as Reading);
  return issues.fields.value?.[0] ?? null;
}

export function readPerson(
  { mapping, today, readPhone, anybody = false }: PersonReading,
  { line, cells }: CsvRow,
): PersonRead {
  const faults: Rejection[] = [];
  const textOf = (template: Template | undefined): string | null => template?.fill(cells) ?? null;
  const fault = (template: Template, reason: string, cellOnly: boolean): null => {
    faults.push({ line, column: template.column, value: textOf(template) ?? '', reason, cellOnly });
    return null;
  };
  /** Returns the value of a cell; null if it is empty or invalid. */
  const taken = <T>(
    template: Template | undefined,
    read: (text: string) => T | { readonly problem: string },
  ): T | null => {
    const text = textOf(template);
    if (text === null) return null;
    const value = read(text);
    const refused = typeof value === 'object' && value !== null && 'problem' in value;
    return refused ? fault(template!, (value as { problem: string }).problem, true) : (value as T);
  };
  const name = (key: 'first_name' | 'last_name'): string | null =>
    taken<string>(mapping[key], (cell) => {
      const text = cell.replaceAll(/\s+/g, ' ');
      const problem = complaint(writable[key], text);
      return problem === null ? text : { problem };
    });
  const written = textOf(mapping.email);
  const email = written === null ? null : canonicalAddress(written) || null;
  const nameless = anybody && email === null;
  if (!nameless && (email === null || complaint(writable.email, email) !== null)) {
    fault(
      mapping.email,
      email === null ? 'is empty; every customer needs an email address' : 'is not an email address',
      false,
    );
    return { person: null, faults };
  }
  const birth = taken<string>(mapping.date_of_birth, (text) => {
    const date = readDate(text, mapping.dateFormat);
    if (date === null) return { problem: `is not a date${mapping.dateFormat ? ` (${mapping.dateFormat})` : ''}` };
    return date > today || date < OLDEST ? { problem: 'is not a date of birth in the past' } : date;
  });
  const phone = taken<Phone>(mapping.phone_number, readPhone);
  const person = {
    line,
    email,
    first_name: name('first_name'),
    last_name: name('last_name'),
    date_of_birth: birth,
    phone,
  };
  return { person, faults };
}
