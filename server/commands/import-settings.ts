/** The settings of an import at the command line: a JSON file. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure } from './command.ts';
import { shapeProblems } from '../kernel/base/csv/shape.ts';
import { KIND_NAMES, type KindName } from '../areas/reporting/imports/index.ts';

interface FileSettings {
  readonly kind?: KindName;
  readonly columns?: readonly { readonly heading: string; readonly property: string | null }[];
  readonly sheet?: string;
  readonly heading_line?: number;
}

export interface Settings {
  readonly source?: string;
  /** meanings of words, by the property or the heading of their column */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** by the name of the file */
  readonly files: Readonly<Record<string, FileSettings>>;
}

const RULES = { source: 'optional any', answers: 'optional any', files: 'optional any' } as const;
const FILE_RULES = {
  kind: 'optional any',
  columns: 'optional any',
  sheet: 'optional any',
  heading_line: 'optional any',
} as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function problemsOf(value: unknown): string[] {
  const problems = shapeProblems(value, RULES);
  if (problems.length > 0) return problems;
  const { source, answers = {}, files = {} } = value as Record<string, unknown>;
  const words = isObject(answers) ? Object.values(answers) : [null];
  if (source !== undefined && !isText(source)) problems.push('source must be a text');
  if (!words.every((one) => isObject(one) && Object.values(one).every(isText)))
    problems.push('answers must be, for example, { "Status": { "Declined": "left_out" } }');
  if (!isObject(files)) return [...problems, 'files must be an object with the names of files'];
  for (const [name, of] of Object.entries(files)) {
    problems.push(...shapeProblems(of, FILE_RULES, name));
    if (!isObject(of)) continue;
    const { kind, columns = {}, sheet, heading_line: line } = of;
    if (kind !== undefined && !KIND_NAMES.includes(kind as KindName))
      problems.push(`${name}.kind must be one of ${KIND_NAMES.join(', ')}`);
    if (!isObject(columns) || !Object.values(columns).every((one) => one === null || isText(one)))
      problems.push(`${name}.columns must be, for example, { "Mail": "email", "Shoe size": null }`);
    if (sheet !== undefined && !isText(sheet)) problems.push(`${name}.sheet must be a text`);
    if (line !== undefined && !(Number.isSafeInteger(line) && (line as number) > 0))
      problems.push(`${name}.heading_line must be a whole number from 1`);
  }
  return problems;
}

/** @throws CommandFailure */
export function readSettings(path: string | undefined): Settings {
  if (path === undefined) return { answers: {}, files: {} };
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(resolve(path), 'utf8'));
  } catch (error) {
    throw new CommandFailure(`The settings ${path} cannot be read: ${(error as Error).message}. Remedy: write JSON.`);
  }
  const problems = problemsOf(value);
  if (problems.length > 0)
    throw new CommandFailure(`The settings ${path} are wrong: ${problems.join('; ')}. Remedy: correct them.`);
  const { source, answers = {}, files = {} } = value as Partial<Settings> & { files?: Record<string, any> };
  return {
    source,
    answers,
    files: Object.fromEntries(
      Object.entries(files).map(([name, { columns, ...of }]: [string, any]) => [
        name,
        {
          ...of,
          columns: columns && Object.entries(columns).map(([heading, property]) => ({ heading, property })),
        },
      ]),
    ),
  };
}
