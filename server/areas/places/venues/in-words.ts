/** Returns "1 event", "3 events", for refusals. */
export const eventsInWords = (n: number): string => `${n} event${n === 1 ? '' : 's'}`;
