/**
 * Renders the description of a report in the language of the user. Names in backticks are values, columns or filters:
 * they are shown by their labels.
 */
import type { ReportKind } from './read.ts';

export interface DescribedProps {
  readonly text: string;
  readonly report: ReportKind;
}

function labelIn({ columns, grouped_by: by, measures, filters }: ReportKind, name: string): string {
  const all = [...by, ...columns, ...measures];
  const value = [...all, ...filters].flatMap(({ choices }) => choices).find((one) => one.value === name);
  return (value ?? all.find(({ key }) => key === name))?.label ?? name.replaceAll(/[._]/g, ' ');
}

export function Described({ text, report }: DescribedProps) {
  return text.split('`').map((part, n) => (n % 2 === 1 ? <em key={n}>{labelIn(report, part)}</em> : part));
}
