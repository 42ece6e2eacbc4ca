/** Email addresses as they appear in a cell: with a name, with `mailto:`, or several of them. Pure. */

const ADDRESS = /[^\s<>,;:"'()[\]]+@[^\s<>,;:"'()[\]]+\.[^\s<>,;:"'()[\]]+/gu;

/** Returns the addresses in a cell, in order. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    (text.match(ADDRESS) ?? []).map((one) => one.replace(/[.?!]+$/, '')).filter((one) => one.split('@').length === 2),
  ),
];
