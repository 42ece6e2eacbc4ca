/** Mark of spreadsheets for a text that begins like a number or a formula. Names may begin with an apostrophe too. */
const TEXT_MARK = /^'(?=[\d+\-(=@])/;

/** Returns the text of a cell without such a mark. */
export const withoutMark = (text: string): string => text.replace(TEXT_MARK, '');
