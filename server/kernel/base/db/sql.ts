/**
 * SQL as text with holes. A hole holds a value, or a `Param` that is read from the input of each run, so that the text
 * of a statement is built once for each shape of a request and stays prepared.
 */
import { hash } from 'node:crypto';

export class Param<I = any> {
  readonly read: (input: I) => unknown;
  constructor(read: (input: I) => unknown) {
    this.read = read;
  }
}

/** Returns a value that is read from the input each time the statement runs. */
export const param = <I = any>(read: (input: I) => unknown): Param<I> => new Param(read);

export class Sql {
  /** always one more than `holes` */
  readonly texts: readonly string[];
  readonly holes: readonly unknown[];
  constructor(texts: readonly string[], holes: readonly unknown[]) {
    this.texts = texts;
    this.holes = holes;
  }
}

/** Returns a fragment whose holes are values, params or other fragments; only fragments become text. */
export function sql(strings: TemplateStringsArray, ...holes: unknown[]): Sql {
  if (!holes.some((hole) => hole instanceof Sql)) return new Sql(strings, holes);
  const texts = [strings[0]];
  const flat: unknown[] = [];
  holes.forEach((hole, i) => {
    if (hole instanceof Sql) {
      texts[texts.length - 1] += hole.texts[0];
      for (let j = 0; j < hole.holes.length; j++) {
        flat.push(hole.holes[j]);
        texts.push(hole.texts[j + 1]);
      }
      texts[texts.length - 1] += strings[i + 1];
    } else {
      flat.push(hole);
      texts.push(strings[i + 1]);
    }
  });
  return new Sql(texts, flat);
}

/**
 * Returns text that the code itself wrote: a name, a keyword, a literal number. Never anything that came from outside.
 */
export const raw = (text: string): Sql => new Sql([text], []);

/** Returns a column of an alias, quoted where SQL needs it. */
export const column = (alias: string, name: string): Sql => raw(`${alias}.${name}`);

export function join(fragments: readonly Sql[], separator: string): Sql {
  if (fragments.length === 0) return raw('');
  const [first, ...rest] = fragments;
  return rest.reduce((all, next) => sql`${all}${raw(separator)}${next}`, first);
}

/** Returns the conjunction of all conditions; true if there are none. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? raw('true')
    : join(
        conditions.map((c) => sql`(${c})`),
        ' AND ',
      );

/** Returns JSON for a jsonb parameter: otherwise, an array or object would become a PostgreSQL array. */
export const json = (value: unknown): string => JSON.stringify(value);

/** Converts epoch milliseconds to a timestamptz parameter. */
export const instant = (epochMs: number | null): string | null =>
  epochMs === null ? null : new Date(epochMs).toISOString();

function arrayText(values: readonly unknown[]): string {
  const items = values.map((v) => {
    if (v === null || v === undefined) return 'NULL';
    if (typeof v === 'number' || typeof v === 'bigint' || typeof v === 'boolean') return String(v);
    return `"${String(v).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${items.join(',')}}`;
}

/** Returns the text form in which a parameter is sent. */
export function encode(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return arrayText(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** A statement as the server knows it: one text, one name, and holes that are filled for each run. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly holes: readonly unknown[];
  /** the server's description of the result, known after the first run */
  columns: readonly Column[] | null;
}

export interface Column {
  readonly name: string;
  readonly type: number;
}

interface Named {
  readonly name: string;
  columns: readonly Column[] | null;
}

/**
 * Statements with a longer text come from what a caller chose to see; they are not cached until they are used again.
 */
export const LARGE_TEXT = 32_768;
const MAX_CACHED_TEXTS = 4000;
const MAX_CACHED_LETTERS = 8_000_000;
const byText = new Map<string, Named>();
let letters = 0;
let named = 0;

function entryOf(text: string): Named {
  if (text.length > LARGE_TEXT) return { name: `rc${hash('sha1', text)}`, columns: null };
  let entry = byText.get(text);
  if (!entry) {
    entry = { name: `rc${++named}`, columns: null };
    byText.set(text, entry);
    letters += text.length;
    for (const oldest of byText.keys()) {
      if (byText.size <= MAX_CACHED_TEXTS && letters <= MAX_CACHED_LETTERS) break;
      byText.delete(oldest);
      letters -= oldest.length;
    }
  }
  return entry;
}

const fixedTexts = new WeakMap<readonly string[], string>();

function textOf(texts: readonly string[]): string {
  let text = fixedTexts.get(texts);
  if (text === undefined) {
    text = texts[0];
    for (let i = 1; i < texts.length; i++) text += `$${i}${texts[i]}`;
    fixedTexts.set(texts, text);
  }
  return text;
}

/** Sends a param that occurs in several places as one parameter. */
function withParams(fragment: Sql): { text: string; holes: readonly unknown[] } {
  const holes: unknown[] = [];
  const numbers = new Map<Param, number>();
  let text = fragment.texts[0];
  fragment.holes.forEach((hole, i) => {
    let number = hole instanceof Param ? numbers.get(hole) : undefined;
    if (number === undefined) {
      number = holes.push(hole);
      if (hole instanceof Param) numbers.set(hole, number);
    }
    text += `$${number}${fragment.texts[i + 1]}`;
  });
  return { text, holes };
}

/** Returns the statement of a fragment. Equal texts share one prepared statement on every connection. */
export function statement(fragment: Sql): Statement {
  const { text, holes } = fragment.holes.some((hole) => hole instanceof Param)
    ? withParams(fragment)
    : { text: textOf(fragment.texts), holes: fragment.holes };
  const entry = entryOf(text);
  return {
    name: entry.name,
    text,
    holes,
    get columns() {
      return entry.columns;
    },
    set columns(columns) {
      entry.columns = columns;
    },
  };
}

/** Returns the parameters of one run, in order. */
export function fill(holes: readonly unknown[], input: unknown): (string | null)[] {
  const values: (string | null)[] = [];
  for (const hole of holes) values.push(encode(hole instanceof Param ? hole.read(input) : hole));
  return values;
}
