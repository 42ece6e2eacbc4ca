/** The course of the demo studio: six dates that are booked together, and one participant. */
import { addDays, formatWall } from '../kernel/base/values/zone.ts';
import { createCourse, createDates, enroll } from '../areas/availability/courses/index.ts';
import { createOfferingType } from '../areas/scheduling/offerings/index.ts';
import type { Work } from '../kernel/work/unit/work.ts';

const SESSIONS = 6;
/** It begins in this many days: there is time to book it. */
const BEGINS = 5;
const COURSE = {
  name: 'Six Weeks to Yoga',
  about: 'From the first breath to a whole class, week by week. For people who have never stood on a mat.',
  price: '132.00',
  places: 8,
};

interface Place {
  readonly venue: number;
  readonly room: number;
  readonly teacher: number;
  readonly category: number;
  /** image of the offering */
  readonly image: number;
}

/** Creates the course. `guest`: an existing participant. */
export async function teachCourse(
  work: Work,
  { venue, room, teacher, category, image }: Place,
  guest: number,
): Promise<void> {
  const offering = await createOfferingType(work, {
    name: COURSE.name,
    description: COURSE.about,
    schedule_type: 'course',
    category,
    color: '#b45309',
    image,
  });
  const course = await createCourse(work, { offering_type: offering, published: true });
  const today = formatWall(work.now, work.tenant.zone).slice(0, 10);
  const series = await createDates(work, course, {
    name: 'Afternoons',
    venue,
    venue_room: room,
    instructors: [teacher],
    price: COURSE.price,
    max_occupancy: COURSE.places,
    dates: Array.from({ length: SESSIONS }, (_, week) => {
      const date = addDays(today, BEGINS + 7 * week);
      return { starts_at: `${date}T14:00:00`, ends_at: `${date}T15:30:00` };
    }),
  });
  await enroll(work, { series, customer: guest, paidBy: 'comped' });
}
