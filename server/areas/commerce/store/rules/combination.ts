/** The values of a variant as one text: variants of a product with equal texts are duplicates. Pure. */

export interface AttributeValue {
  /** id */
  readonly attribute: number;
  readonly value: string;
}

/** Joins the values in the order of attributes, independent of the order in which they were sent. */
export const joinAttributeValues = (values: readonly AttributeValue[]): string =>
  values
    .toSorted((a, b) => a.attribute - b.attribute)
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(value)}`)
    .join(' ');
