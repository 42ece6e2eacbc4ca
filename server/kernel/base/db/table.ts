/**
 * Handling of a table's rows when a business moves or a person leaves. Each owner declares it for each of its tables:
 * one declaration for the archive of a business, and for the data of a person and their erasure.
 */
import type { SecretBox } from '../secret-box.ts';
import type { Sql } from './sql.ts';

/** All values that identify rows about one customer of a business. */
export interface OfPerson {
  readonly customer: number;
  /** the customer, and the records that were merged into it */
  readonly ids: readonly number[];
  /** lower case */
  readonly emails: readonly string[];
  /** with the country code, for example +441632960000 */
  readonly phones: readonly string[];
  /** `Ada King`; null if they don't have both a first and a last name */
  readonly fullName: string | null;
  /** the first and last name, as far as they have them */
  readonly names: readonly string[];
}

/** Something that must have ended before a person can be erased. */
interface Unfinished {
  readonly one: string;
  readonly many: string;
  /** what to do about it, in a sentence */
  readonly remedy: string;
  /** condition for the person's rows `t` that are unfinished; `now`: a timestamptz */
  readonly when: (now: Sql) => Sql;
}

/** Rows that are about customers. */
export interface AboutPerson {
  /** key of these rows in the data of a person, and their name in the list of rows that were kept */
  readonly called: string;
  /** condition for rows `t`; default: rows whose foreign keys refer to the customer */
  readonly rows?: (of: OfPerson) => Sql;
  /**
   * Effect of an erasure: deletes them; keeps them, with a reason; or keeps them and sets the columns that identify the
   * person, each to an SQL expression over `t`.
   */
  readonly erased: 'deleted' | { readonly kept: string; readonly blank?: Readonly<Record<string, Sql>> };
  readonly unfinished?: readonly Unfinished[];
  /**
   * the business's own notes on its customers: included in the file for staff, but not in the one on the customer's own
   * page
   */
  readonly internal?: boolean;
  /** sealed columns that the person's data contains opened, each with its name there */
  readonly opened?: Readonly<Record<string, string>>;
  /** columns that are left out of the person's data: they are about others, or useless outside the program */
  readonly hidden?: readonly string[];
}

/**
 * A function that returns the purpose for which a column is sealed with the installation's key, see `SecretBox`; null:
 * it is not sealed in this row.
 */
type Purpose = (row: Readonly<Record<string, any>>) => string | null;

export interface Table {
  /** the reason why its rows are left behind when the business moves; absent: they move with it */
  readonly stays?: string;
  /**
   * the reason why they are left behind even when it moves to another cell of this installation, which has the same URL
   * and keys
   */
  readonly ofCell?: string;
  /** columns that are sealed with the installation's key */
  readonly sealed?: Readonly<Record<string, Purpose>>;
  /** columns derived from a sealed column and the installation's key; the row has its sealed columns opened */
  readonly printed?: Readonly<Record<string, (box: SecretBox, row: Readonly<Record<string, any>>) => string>>;
  /** the row's folder in the file store; its last segment belongs to the row alone */
  readonly folder?: (row: Readonly<Record<string, any>>) => string;
  /** absent: the table contains nothing about customers */
  readonly person?: AboutPerson;
}

export type Tables = Readonly<Record<string, Table>>;

/** Declares tables of the business alone, or views: they move with it, and contain nothing about customers. */
export const ofBusiness = (...names: readonly string[]): Tables => Object.fromEntries(names.map((name) => [name, {}]));

/** Reason for keeping records of purchases and payments. */
export const BOOKS = 'Business records must be kept for as long as the law says, and the books must still add up.';

/** Reason for keeping visits and similar rows, which don't identify the person. */
export const NUMBERS = 'The numbers of the business must still add up. Nothing in them says who it was.';

/** Declares rows that an erasure deletes. */
export const deleted = (called: string, more: Partial<AboutPerson> = {}): Table => ({
  person: { called, erased: 'deleted', ...more },
});

/** Declares rows that an erasure keeps unchanged. */
export const kept = (called: string, why: string, more: Partial<AboutPerson> = {}): Table => ({
  person: { called, erased: { kept: why }, ...more },
});

/** Declares rows that an erasure keeps without the columns that identify the person. */
export const blanked = (
  called: string,
  why: string,
  blank: Readonly<Record<string, Sql>>,
  more: Partial<AboutPerson> = {},
): Table => ({ person: { called, erased: { kept: why, blank }, ...more } });

const OF_INSTALLATION = 'It belongs to the installation, not to a business.';

/** Declares tables of the installation: people who log in, and data for all businesses. They belong to no business. */
export const ofInstallation = (...names: readonly string[]): Tables =>
  Object.fromEntries(names.map((name) => [name, { stays: OF_INSTALLATION, ofCell: OF_INSTALLATION }]));
