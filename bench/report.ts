import { writeFile } from 'node:fs/promises';

export interface Measurement {
  name: string;
  /** Ours. */
  figure: number;
  /** Theirs, from the same run; null when nothing is compared. */
  against?: number | null;
  /** Ours divided by theirs; computed from the two figures unless given, as `paired` gives it. */
  ratio?: number | null;
  /**
   * What the ratio has to reach (or, when lower is better, must not exceed); without `against`, what the figure has to.
   * Null: shown only.
   */
  reach?: number | null;
  /** 'higher' unless told. */
  better?: 'higher' | 'lower';
  /** Of both figures, such as `req/s` or `ms`. */
  unit?: string;
  /** Why there is no figure, or what else must be known to read it. */
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

  /** One aligned table, a line a row. */
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

/** A figure that is not a number reaches nothing. */
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

/** Numbers to the right, words to the left. */
function align(cell: string, width: number, column: number): string {
  return column === 1 || column === 2 || column === 4 || column === 5 ? cell.padStart(width) : cell.padEnd(width);
}

export interface Pair {
  /** Medians of either side. */
  figure: number;
  against: number;
  /** Median of the ratios of each turn: what slows the machine for a while slows both sides of a turn. */
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

/** The middle value, or the mean of the two in the middle. Throws for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('an empty list has no median');
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
