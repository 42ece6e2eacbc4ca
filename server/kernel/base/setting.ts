/** A setting of the operator, as the documentation lists it. */
export interface Setting {
  /** environment variables; several if each is useless without the others */
  readonly names: readonly string[];
  /** as written in the environment; null if there is no default */
  readonly default: string | null;
  /** Markdown for operators; links are relative to docs/ */
  readonly text: string;
}
