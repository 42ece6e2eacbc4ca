/** The local notations of amounts, for forms that parse them. The shell sets them without loading more code. */

interface Ways {
  /** of the user */
  readonly locale: string;
  /** of the business */
  readonly country: string;
}

/** null until they are set */
export const amounts: { ways: Ways | null } = { ways: null };
