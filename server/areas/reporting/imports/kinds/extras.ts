/** Notes, labels and consents of imported customers. */
import { columnTemplate } from '../../../../kernel/base/csv/template.ts';
import { importConsents, type ImportedConsent } from '../../../people/customers/index.ts';
import { importLabels, importNotes } from '../../../communication/crm/index.ts';
import { instantOfWall } from '../../../../kernel/base/values/zone.ts';
import { clockText } from './rules/time.ts';
import { issueOf, shortened, templateOf, textIn, type Issue, type Portion } from './portion.ts';
import { readMoment } from './rules/day.ts';
import { readYesNo } from './rules/yes-no.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

export interface Written {
  readonly row: CsvRow;
  readonly customer: number;
}

export interface Extra {
  changed: boolean;
  readonly issues: Issue[];
}

const MAX_NOTE = 10_000;

/** Writes what rows state about their customers besides who they are. Returns by line what changed or is left out. */
export async function writeExtras(portion: Portion, written: readonly Written[]): Promise<Map<number, Extra>> {
  const extras = new Map<number, Extra>(written.map(({ row }) => [row.line, { changed: false, issues: [] }]));
  const mark = (changed: ReadonlySet<number>): void => {
    for (const { row, customer } of written) if (changed.has(customer)) extras.get(row.line)!.changed = true;
  };
  mark(await writeNotes(portion, written, extras));
  mark(await writeLabels(portion, written, extras));
  mark(await writeConsents(portion, written, extras));
  return extras;
}

type Extras = ReadonlyMap<number, Extra>;

/** Several columns make one note, each with its name. */
async function writeNotes({ work, columns }: Portion, written: readonly Written[], extras: Extras) {
  const templates = columns.flatMap(({ property, heading }, i) =>
    property === 'note' ? [columnTemplate(i, heading)] : [],
  );
  const notes = written.flatMap(({ row, customer }) => {
    const parts = templates.flatMap((template) => {
      const text = textIn(template, row);
      return text === null ? [] : [templates.length === 1 ? text : `${template.column}: ${text}`];
    });
    const text = parts.join('\n');
    if (text.length > MAX_NOTE)
      extras
        .get(row.line)!
        .issues.push(
          issueOf(templates[0], row, `is too long together with the other notes: only ${MAX_NOTE} characters are kept`),
        );
    return text === '' ? [] : [{ customer, text: text.slice(0, MAX_NOTE).toWellFormed() }];
  });
  return importNotes(work, notes);
}

async function writeLabels(portion: Portion, written: readonly Written[], extras: Extras) {
  const column = templateOf(portion, 'labels');
  const wanted = written.flatMap(({ row, customer }) => {
    const text = textIn(column, row);
    const names = (text ?? '').split(/[,;|\n]/).flatMap(
      (name) =>
        name
          .trim()
          .replace(/^["']+|["']+$/g, '')
          .trim() || [],
    );
    return names.length === 0 ? [] : [{ row, customer, names }];
  });
  if (wanted.length === 0) return new Set<number>();
  const { changed, refused } = await importLabels(portion.work, wanted);
  for (const { row, names } of wanted)
    for (const name of names.filter((one) => refused.has(one)))
      extras.get(row.line)!.issues.push({
        column: column!.column,
        value: shortened(name),
        reason: 'can’t be the name of a label',
      });
  return changed;
}

async function writeConsents(portion: Portion, written: readonly Written[], extras: Extras) {
  const consents: (ImportedConsent & { readonly row: CsvRow })[] = [];
  for (const { row, customer } of written) {
    const read = consentIn(portion, row);
    extras.get(row.line)!.issues.push(...read.issues);
    if (read.granted !== null) consents.push({ row, customer, granted: read.granted, at: read.at });
  }
  const { changed, refused } = await importConsents(portion.work, consents, portion.source);
  const column = templateOf(portion, 'email_consent') ?? templateOf(portion, 'consent_at');
  for (const { row, customer } of consents)
    if (refused.has(customer))
      extras
        .get(row.line)!
        .issues.push(issueOf(column, row, 'is older than what is recorded here, so it doesn’t subscribe them again'));
  return changed;
}

interface Consent {
  /** null: the row doesn't say */
  readonly granted: boolean | null;
  /** epoch milliseconds; null: the row names no time */
  readonly at: number | null;
  readonly issues: readonly Issue[];
}

/** Returns what a row says about news by email. Of several statements, a withdrawal counts. */
function consentIn(portion: Portion, row: CsvRow): Consent {
  const issues: Issue[] = [];
  const yesNo = (property: string): boolean | null => {
    const template = templateOf(portion, property);
    const text = textIn(template, row);
    const value = text === null ? null : readYesNo(text);
    if (value === undefined)
      issues.push(issueOf(template, row, 'is neither yes nor no, so nothing is known about news by email'));
    return value ?? null;
  };
  const moment = (property: string): number | null => {
    const template = templateOf(portion, property);
    const text = textIn(template, row);
    if (text === null) return null;
    const read = readMoment(text, { order: portion.dateFormat });
    if (read === null) issues.push(issueOf(template, row, 'is not a date, so today counts'));
    const { now, tenant } = portion.work;
    if (read === null) return now;
    return Math.min(now, instantOfWall(`${read.day}T${clockText(read.time ?? 0)}:00`, tenant.zone));
  };
  const [isIn, isOut] = [yesNo('email_consent'), yesNo('email_opt_out')];
  const [since, until] = [moment('consent_at'), moment('unsubscribed_at')];
  if (isOut === true || until !== null || isIn === false) return { granted: false, at: until, issues };
  // A day beside a cell that nobody understands proves nothing.
  if (isIn === true || (since !== null && issues.length === 0)) return { granted: true, at: since, issues };
  return { granted: null, at: null, issues };
}
