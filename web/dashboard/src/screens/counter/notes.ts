/** Amounts that people hand over in cash. Pure. */

/** Banknotes and round sums of most currencies, in units. */
const ROUND = [5, 10, 20, 50, 100, 200];
const MAX_AMOUNTS = 3;

/** Returns the next round amounts from which change is due. `digits`: decimals of the currency */
export function notesFor(total: number, digits: number): readonly string[] {
  if (total <= 0) return [];
  const scale = digits === 0 ? 100 : 1;
  const next = ROUND.map((note) => Math.ceil(total / (note * scale)) * note * scale).filter((amount) => amount > total);
  return [...new Set(next)]
    .toSorted((a, b) => a - b)
    .slice(0, MAX_AMOUNTS)
    .map((amount) => amount.toFixed(digits));
}
