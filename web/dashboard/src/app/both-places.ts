/** Counts of an event over both kinds of places: at its venue, and online. */
export interface Counts {
  readonly attending_count: number;
  readonly waiting_count: number;
  readonly max_occupancy: number | null;
  readonly online_attending_count: number;
  readonly online_waiting_count: number;
  readonly online_max_occupancy: number | null;
}

/** The properties of an event that are read for the counts. */
export const COUNT_FIELDS = [
  'attending_count',
  'waiting_count',
  'max_occupancy',
  'online_attending_count',
  'online_waiting_count',
  'online_max_occupancy',
] as const;

/** `places` is null for no limit. */
export const sumPlaces = (event: Counts) => ({
  booked: event.attending_count + event.online_attending_count,
  waiting: event.waiting_count + event.online_waiting_count,
  places: event.max_occupancy === null ? null : event.max_occupancy + (event.online_max_occupancy ?? 0),
});

/** Returns how many people wait although a place of their kind is free. */
export const waitingInVain = (event: {
  readonly waiting_count: number;
  readonly is_full: boolean;
  readonly online_waiting_count: number;
  readonly is_online_full: boolean;
}): number => (event.is_full ? 0 : event.waiting_count) + (event.is_online_full ? 0 : event.online_waiting_count);
