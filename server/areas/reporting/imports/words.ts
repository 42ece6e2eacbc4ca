/** Returns the words of lists such as `active, current, running`: lists of words stay short and easy to extend. */
export const words = (...lists: readonly string[]): string[] => lists.flatMap((list) => list.split(', '));
