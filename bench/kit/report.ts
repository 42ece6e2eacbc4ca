import { writeFile } from 'node:fs/promises';

export interface Measurement {
  name: string;
  /** figure of the service */
  figure: number;
  /** figure of the other side, from the same run; null if there is no comparison */
  against?: number | null;
  /** ratio of the two figures; computed from them unless given, as `paired` does */
  ratio?: number | null;
  /**
   * Target of the ratio: the minimum (or the maximum, if lower is better); without `against`, the target of the figure.
   * Null if it is only shown.
   */
  reach?: number | null;
  /** 'higher' by default */
  better?: 'higher' | 'lower';
  /** unit of both figures, such as `req/s` or `ms` */
  unit?: string;
  /** reason of a missing figure, or a remark that is needed to interpret it */
  note?: string;
}

export interface Row {
  name: string;
  unit: string;
  figure: number;
  against: number | null;
  ratio: number | null;
  reach: number | null;
  better: 'higher' | 'lower';
  ok: boolean;
  note?: string;
}

/** The rows of one benchmark run. */
export class Report {
  readonly rows: Row[] = [];

  add(measurement: Measurement): Row {
    const { name, figure, against = null, reach = null, better = 'higher', unit = '' } = measurement;
    const ratio = measurement.ratio ?? (against === null ? null : figure / against);
    const row: Row = {
      name,
      unit,
      figure,
      against,
      ratio,
      reach,
      better,
      ok: reaches(ratio ?? figure, reach, better),
      ...(measurement.note !== undefined && { note: measurement.note }),
    };
    this.rows.push(row);
    return row;
  }

  get ok(): boolean {
    return this.rows.every((row) => row.ok);
  }

  /** Formats the rows as one aligned table, one row per line. */
  table(): string {
    const lines = [['name', 'ours', 'theirs', 'unit', 'ratio', 'to reach', ''], ...this.rows.map(cells)];
    const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
    return lines
      .map((line) =>
        line
          .map((cell, column) => align(cell, widths[column], column))
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  }

  print(write: (text: string) => void = (text) => process.stdout.write(text)): void {
    write(`${this.table()}\n`);
  }

  /** Writes `{ ok, ...about, rows }` as JSON. */
  async write(path: string, about: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await writeFile(path, `${JSON.stringify({ ok: this.ok, ...about, rows: this.rows }, null, 2)}\n`);
  }
}

/** Returns true if the target is reached. NaN reaches no target. */
function reaches(value: number, reach: number | null, better: 'higher' | 'lower'): boolean {
  if (!Number.isFinite(value)) return false;
  return reach === null || (better === 'higher' ? value >= reach : value <= reach);
}

function cells(row: Row): string[] {
  const bound = row.reach === null ? '' : `${row.better === 'higher' ? '>=' : '<='} ${rounded(row.reach)}`;
  const verdict = row.reach === null && row.ok ? '' : row.ok ? 'ok' : 'MISSED';
  return [
    row.name,
    rounded(row.figure),
    rounded(row.against),
    row.unit,
    rounded(row.ratio),
    bound,
    [verdict, row.note ?? ''].filter(Boolean).join('  '),
  ];
}

function rounded(value: number | null): string {
  if (value === null) return '';
  if (!Number.isFinite(value)) return '-';
  return value.toLocaleString('en', {
    maximumFractionDigits: Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 3,
  });
}

/** Right-aligns numbers and left-aligns words. */
function align(cell: string, width: number, column: number): string {
  return column === 1 || column === 2 || column === 4 || column === 5 ? cell.padStart(width) : cell.padEnd(width);
}

export interface Pair {
  /** median of either side */
  figure: number;
  against: number;
  /** Median of the ratios of each turn: a temporary slowdown of the machine affects both sides of a turn. */
  ratio: number;
  ratios: number[];
}

/** Measures two sides in turns A B A B …, `runs` times each, never at the same time. */
export async function paired(runs: number, ours: () => Promise<number>, theirs: () => Promise<number>): Promise<Pair> {
  if (!Number.isInteger(runs) || runs < 1) throw new RangeError(`runs must be a positive whole number, not ${runs}`);
  const turns: [number, number][] = [];
  for (let run = 0; run < runs; run++) {
    const figure = await ours();
    turns.push([figure, await theirs()]);
  }
  const ratios = turns.map(([figure, against]) => figure / against);
  return {
    figure: median(turns.map((turn) => turn[0])),
    against: median(turns.map((turn) => turn[1])),
    ratio: median(ratios),
    ratios,
  };
}

/** Returns the middle value, or the mean of the two in the middle. Throws for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('an empty list has no median');
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
