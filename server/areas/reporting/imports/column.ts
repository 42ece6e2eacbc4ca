export interface ColumnOf {
  readonly heading: string;
  readonly property: string | null;
  readonly samples: readonly string[];
}
