/** Where the pages of free times are. */
export const slotsPath = (
  providerId: number,
  { offering, day, move }: { offering: number; day?: string; move?: number | null },
): string =>
  `/account/${providerId}/slots?${new URLSearchParams({
    offering_type: String(offering),
    ...(day && { day }),
    ...(move && { move: String(move) }),
  })}`;

export const slotPath = (providerId: number, slot: string, move: number | null, act = ''): string =>
  `/account/${providerId}/slots/${slot}${act}${move === null ? '' : `?move=${move}`}`;
