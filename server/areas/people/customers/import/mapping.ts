/** The mapping from columns of a customer file to properties; the format is described in docs/guide/import.md. */
import { readFileSync } from 'node:fs';
import { columnsOf, compileTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import { DATE_FORMATS, type DateFormat } from '../../../../kernel/base/csv/read-date.ts';
import { shapeProblems } from '../../../../kernel/base/csv/shape.ts';

export interface CustomerMapping {
  email: string;
  first_name?: string;
  last_name?: string;
  date_of_birth?: string;
  phone_number?: string;
  date_format?: DateFormat;
  empty?: string[];
}

/** Reads a mapping. @throws Error that names every fault and the remedy */
export function readCustomerMapping(file: string): CustomerMapping {
  const wrong = (what: string, cause?: unknown) =>
    new Error(`The mapping ${file} ${what}. Remedy: see docs/guide/import.md.`, { cause });
  let value: CustomerMapping;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(`can’t be read: ${(error as Error).message}`, error);
  }
  const problems = shapeProblems(value, {
    email: 'text',
    first_name: 'optional text',
    last_name: 'optional text',
    date_of_birth: 'optional text',
    phone_number: 'optional text',
    date_format: 'optional text',
    empty: 'optional texts',
  });
  if (problems.length === 0 && value.date_format !== undefined && !(value.date_format in DATE_FORMATS)) {
    problems.push(`date_format must be one of ${Object.keys(DATE_FORMATS).join(', ')}`);
  }
  if (problems.length > 0) throw wrong(`is not right: ${problems.join('; ')}`);
  return value;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Returns the mapping of columns with self-explanatory names. @throws Error if no column holds email addresses */
export function mappingByNames(heading: readonly string[]): CustomerMapping {
  const find = (...names: string[]) => {
    const column = heading.find((name) => names.includes(plain(name)));
    return column === undefined ? undefined : `{${column}}`;
  };
  const email = find('email', 'emailaddress', 'mail');
  if (!email) {
    throw new Error(
      `No column of this file is called email; it has: ${heading.join(', ')}. Remedy: write a mapping file as described in docs/guide/import.md and pass it with --mapping FILE.`,
    );
  }
  return {
    email,
    first_name: find('firstname', 'givenname', 'forename'),
    last_name: find('lastname', 'familyname', 'surname'),
    date_of_birth: find('dateofbirth', 'birthdate', 'birthday', 'dob'),
    phone_number: find(
      'phonenumber',
      'phone',
      'mobilenumber',
      'mobilephone',
      'mobile',
      'cellphone',
      'cell',
      'telephone',
    ),
  };
}

/** Returns the columns that a mapping reads. */
export const columnsRead = ({
  email,
  first_name,
  last_name,
  date_of_birth,
  phone_number,
}: CustomerMapping): ReadonlySet<string> =>
  new Set([email, first_name, last_name, date_of_birth, phone_number].flatMap((text) => columnsOf(text ?? '')));

export interface CompiledCustomerMapping {
  readonly email: Template;
  readonly first_name?: Template;
  readonly last_name?: Template;
  readonly date_of_birth?: Template;
  readonly phone_number?: Template;
  /** null: as detected in the file */
  readonly dateFormat: DateFormat | null;
}

/** Resolves a mapping against the heading of a file. @throws Error naming the column that the file does not have */
export function compileCustomerMapping(mapping: CustomerMapping, heading: readonly string[]): CompiledCustomerMapping {
  const empty = new Set(mapping.empty ?? []);
  const one = (text: string | undefined) => (text === undefined ? undefined : compileTemplate(text, heading, empty));
  return {
    email: one(mapping.email)!,
    first_name: one(mapping.first_name),
    last_name: one(mapping.last_name),
    date_of_birth: one(mapping.date_of_birth),
    phone_number: one(mapping.phone_number),
    dateFormat: mapping.date_format ?? null,
  };
}
