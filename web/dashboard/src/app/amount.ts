/** An amount as people type it, `12,50` or ` 12.5 `, as the interface takes it. */
export const typedAmount = (text: string): string => text.trim().replace(',', '.');
