/** Messages that a new assistant can send in 24 hours, for each person: enough for a few classes, but no mailing. */
export const MESSAGE_LIMIT = 200;
