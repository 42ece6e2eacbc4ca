/** Countries that use Letter paper. */
const LETTER: ReadonlySet<string> = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO']);

export type PaperSize = 'A4' | 'LETTER';

export const paperIn = (country: string): PaperSize => (LETTER.has(country) ? 'LETTER' : 'A4');
