/** The values of a variant as one text: two variants of a product with the same text are the same. Pure. */

export interface AttributeValue {
  /** id */
  readonly attribute: number;
  readonly value: string;
}

/** In the order of attributes, whatever order they were sent in. */
export const combinationOf = (values: readonly AttributeValue[]): string =>
  values
    .toSorted((a, b) => a.attribute - b.attribute)
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(value)}`)
    .join(' ');
