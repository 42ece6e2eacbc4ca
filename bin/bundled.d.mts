/** the size of a file, and the second in which it was changed */
export type Marks = readonly [size: number, seconds: number];

export interface SourceList {
  /** the version that made the bundle */
  readonly node: string;
  /** of the bundle, beside the list */
  readonly folder: string;
  /** the marks of files below the project, as they were */
  readonly files: Readonly<Record<string, Marks>>;
}

export const LIST: string;
export function marksOf(file: string): Marks;
export function currentBundle(root: string, into: string): string | null;
export function showSources(root: string, folder: string): void;
export function placeIn(file: string, row: number, column: number): { source: string; line: number } | null;
