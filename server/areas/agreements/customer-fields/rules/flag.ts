/** Returns true if staff at the door have to know an answer: a "no" is nothing to know. */
export const isFlag = (type: string, value: unknown): boolean =>
  type !== 'boolean' || (value as { readonly answer: boolean }).answer;
