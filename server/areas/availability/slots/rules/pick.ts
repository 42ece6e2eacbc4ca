/** Who gets an appointment that any instructor may have: docs/algorithms/slots.md. Pure. */

/** Somebody who is free at that time. */
export interface Choice {
  readonly instructor: number;
  /** appointments on that day, so far */
  readonly appointments: number;
}

/** The one with the fewest appointments that day, and of equals the one with the lowest id. */
export const fairest = <C extends Choice>(free: readonly C[]): C =>
  free.reduce((best, one) =>
    one.appointments < best.appointments || (one.appointments === best.appointments && one.instructor < best.instructor)
      ? one
      : best,
  );
