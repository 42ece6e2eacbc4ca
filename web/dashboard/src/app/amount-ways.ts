/** Where amounts are written, for forms that read what people type. The shell sets it, and loads no more for it. */

interface Ways {
  /** of the person who reads */
  readonly locale: string;
  /** of the business */
  readonly country: string;
}

/** null: nobody has said */
export const amounts: { ways: Ways | null } = { ways: null };
