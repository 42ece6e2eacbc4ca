/** The ways in which amounts are written here, for forms that read them. The shell sets them without loading more. */

interface Ways {
  /** of the person who reads */
  readonly locale: string;
  /** of the business */
  readonly country: string;
}

/** null: nobody has said */
export const amounts: { ways: Ways | null } = { ways: null };
