/** Chooses the instructor of an appointment that any instructor may take: docs/algorithms/slots.md. Pure. */

/** An instructor who is free at that time. */
interface Choice {
  readonly instructor: number;
  /** appointments on that day, so far */
  readonly appointments: number;
}

/** Returns the one with the fewest appointments that day; if several have equally few, the one with the lowest id. */
export const fairest = <C extends Choice>(free: readonly C[]): C =>
  free.reduce((best, one) =>
    one.appointments < best.appointments || (one.appointments === best.appointments && one.instructor < best.instructor)
      ? one
      : best,
  );
