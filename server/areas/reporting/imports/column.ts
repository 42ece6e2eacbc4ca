export interface ColumnOf {
  readonly heading: string;
  readonly property: string | null;
  readonly samples: readonly string[];
  /** rows in which it isn't empty */
  readonly value_count: number;
}
