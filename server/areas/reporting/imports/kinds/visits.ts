/** Visits of the past: history of customers, without places, money, uses or messages. */
import { clockText } from './rules/time.ts';
import { customersOf } from './people.ts';
import { importVisits, visitKey, type ImportedVisit, type VisitStatus } from '../../../people/past-records/index.ts';
import { dayTimeIn } from './times.ts';
import {
  isIssue,
  issueOf,
  rejected,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { LONGEST_ID } from '../remembered.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

const LONGEST_NAME = 256;

interface Wanted {
  readonly row: CsvRow;
  readonly visit: ImportedVisit;
  /** cells that are left out */
  readonly issues: readonly Issue[];
}

export const writeVisits: WriteRows = async (portion) => {
  const { work, rows, source } = portion;
  const outcomes: Outcomes = new Map();
  const customers = await customersOf(portion);
  const read = rows.flatMap((row): Wanted[] => {
    const visit = visitIn(portion, row, customers.get(row.line)!);
    if (!isIssue(visit)) return [visit];
    outcomes.set(row.line, rejected(visit));
    return [];
  });
  const wanted = await onceEach(portion, read, outcomes);
  const written = await importVisits(
    work,
    source,
    wanted.map(({ visit }) => visit),
  );
  for (const [i, { row, issues }] of wanted.entries())
    outcomes.set(row.line, { fate: written[i].fate, object: written[i].id, issues });
  return outcomes;
};

function visitIn(portion: Portion, row: CsvRow, customer: number | Issue): Wanted | Issue {
  const at = (property: string) => templateOf(portion, property);
  const state = stateIn(portion, 'status', row);
  if (state === null) return issueOf(at('status'), row, 'has no known meaning');
  if (state === 'left_out') return issueOf(at('status'), row, 'means that the row is left out');
  if (isIssue(customer)) return customer;
  const date = at('start_date');
  const times = dayTimeIn(portion, row);
  if (times === null) return issueOf(date, row, 'is empty');
  if (isIssue(times)) return times;
  const { day, start } = times;
  const time = start === null ? null : clockText(start);
  const now = wallAt(portion.work.now, portion.work.tenant.zone);
  if (day > now.date || (day === now.date && time !== null && time > now.time.slice(0, 5)))
    return issueOf(date, row, 'is in the future');
  const id = textIn(at('external_id'), row);
  if (id !== null && id.length > LONGEST_ID)
    return issueOf(at('external_id'), row, `is longer than ${LONGEST_ID} characters`);
  const issues: Issue[] = [];
  const [name, instructor, venue] = ['event', 'instructor', 'venue'].map((property) => {
    const text = textIn(at(property), row)?.replaceAll(/\s+/g, ' ') ?? null;
    if (text === null || text.length <= LONGEST_NAME) return text;
    issues.push(issueOf(at(property), row, `is longer than ${LONGEST_NAME} characters`));
    return null;
  });
  // Without a column, nobody knows whether the customer came.
  const status = (state ?? 'booked') as VisitStatus;
  return { row, visit: { externalId: id, customer, name, date: day, time, status, instructor, venue }, issues };
}

async function onceEach(portion: Portion, wanted: readonly Wanted[], outcomes: Outcomes): Promise<Wanted[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(
    wanted.map(({ visit }) => visitKey(visit)),
    [],
  );
  return wanted.filter(({ row, visit }) => {
    const key = visitKey(visit);
    const line = seen.own.get(key) ?? earlier.own.get(key);
    if (line === undefined) seen.own.set(key, row.line);
    else
      outcomes.set(
        row.line,
        rejected(
          issueOf(
            templateOf(portion, 'external_id') ?? templateOf(portion, 'start_date'),
            row,
            `is already in line ${line}`,
          ),
        ),
      );
    return line === undefined;
  });
}
