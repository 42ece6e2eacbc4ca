/** Statuses in the order in which a checkout goes through them; the last three are final. */
export const STATUSES = ['open', 'pending', 'completed', 'expired', 'cancelled'] as const;
