/**
 * What a table is to a business that moves and to a person who leaves. Each owner says it of each of its tables: one
 * declaration, for the archive of a business, the data of a person and their erasure.
 */
import type { SecretBox } from '../secret-box.ts';
import type { Sql } from './sql.ts';

/** Everything by which rows are known to be about one customer of a business. */
export interface OfPerson {
  readonly customer: number;
  /** the customer, and the records that were merged into it */
  readonly ids: readonly number[];
  /** lower case */
  readonly emails: readonly string[];
  /** with the country code, for example +441632960000 */
  readonly phones: readonly string[];
  /** `Ada King`; null: they have not both a first and a last name */
  readonly fullName: string | null;
  /** the first name and the last one, those that they have */
  readonly names: readonly string[];
}

/** Something that must have ended before a person can be erased. */
export interface Unfinished {
  readonly one: string;
  readonly many: string;
  /** what to do about it, as a sentence */
  readonly remedy: string;
  /** which of the person's rows `t`; `now`: a timestamptz */
  readonly when: (now: Sql) => Sql;
}

/** Rows that are about customers. */
export interface AboutPerson {
  /** the key of these rows in the data of a person, and what they are called where it is said what was kept */
  readonly called: string;
  /** which rows `t`; default: those whose foreign keys name the customer */
  readonly rows?: (of: OfPerson) => Sql;
  /**
   * What an erasure does with them: deletes them; keeps them, and says why; or keeps them and sets the columns that say
   * who it was, each to a piece of SQL over `t`.
   */
  readonly erased: 'deleted' | { readonly kept: string; readonly blank?: Readonly<Record<string, Sql>> };
  readonly unfinished?: readonly Unfinished[];
  /** what the business thinks of its customers: in the file that staff get, not in the one on the customer's own page */
  readonly internal?: boolean;
  /** columns that are left out of the person's data: they are about others, or are of no use outside of the program */
  readonly hidden?: readonly string[];
}

/** For what a column is sealed with the key of the installation, see `SecretBox`; null: in this row it is not. */
export type Purpose = (row: Readonly<Record<string, any>>) => string | null;

export interface Table {
  /** why its rows stay behind when the business moves; absent: they move with it */
  readonly stays?: string;
  /** why they stay behind also when it moves to another cell of this installation, whose address and keys are the same */
  readonly ofCell?: string;
  /** columns that the key of the installation seals */
  readonly sealed?: Readonly<Record<string, Purpose>>;
  /** columns that follow from an opened column and the key of the installation; the row has its sealed columns opened */
  readonly printed?: Readonly<Record<string, (box: SecretBox, row: Readonly<Record<string, any>>) => string>>;
  /** the folder of the file store that belongs to a row; its last segment is the row's alone */
  readonly folder?: (row: Readonly<Record<string, any>>) => string;
  /** absent: it holds nothing about customers */
  readonly person?: AboutPerson;
}

export type Tables = Readonly<Record<string, Table>>;

/** Tables of the business alone: they move with it, and hold nothing about customers. Views, too. */
export const ofBusiness = (...names: readonly string[]): Tables => Object.fromEntries(names.map((name) => [name, {}]));

/** Why what was bought and paid is kept. */
export const BOOKS = 'Business records must be kept for as long as the law says, and the books must still add up.';

/** Why visits and the like are kept: nothing in them says who it was. */
export const NUMBERS = 'The numbers of the business must still add up. Nothing in them says who it was.';

/** Rows that an erasure deletes. */
export const deleted = (called: string, more: Partial<AboutPerson> = {}): Table => ({
  person: { called, erased: 'deleted', ...more },
});

/** Rows that an erasure keeps as they are. */
export const kept = (called: string, why: string, more: Partial<AboutPerson> = {}): Table => ({
  person: { called, erased: { kept: why }, ...more },
});

/** Rows that an erasure keeps without what says who it was. */
export const blanked = (
  called: string,
  why: string,
  blank: Readonly<Record<string, Sql>>,
  more: Partial<AboutPerson> = {},
): Table => ({ person: { called, erased: { kept: why, blank }, ...more } });

const OF_INSTALLATION = 'It belongs to the installation, not to a business.';

/** Tables of the installation: people who log in, and what serves all businesses. They belong to no business. */
export const ofInstallation = (...names: readonly string[]): Tables =>
  Object.fromEntries(names.map((name) => [name, { stays: OF_INSTALLATION, ofCell: OF_INSTALLATION }]));
