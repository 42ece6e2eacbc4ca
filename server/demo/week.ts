/**
 * The timetable of the demo studio: two weeks of classes around now, bookings to come, one class with a waitlist, and
 * one for members.
 */
import { createCustomer } from '../areas/people/customers/index.ts';
import { createCategory, createOfferingType } from '../areas/scheduling/offerings/index.ts';
import { createEvent, joinWaitlist, register } from '../areas/scheduling/schedule/index.ts';
import { createInstructor, createStaffMember } from '../areas/people/staff/index.ts';
import { createSchedule, nameOfferingTypes } from '../areas/availability/hours/index.ts';
import { sellMemberships, type Sold } from './members.ts';
import { teachCourse } from './course.ts';
import { createVenue, createVenueRoom } from '../areas/places/venues/index.ts';
import { addDays, formatWall } from '../kernel/base/values/zone.ts';
import type { ShownOf } from './pictures.ts';
import type { Work } from '../kernel/work/unit/work.ts';

const DAYS_AROUND = 7;
const FULL_CLASS_PLACES = 4;
const CLASSES = [
  {
    name: 'Vinyasa Flow',
    about: 'A lively start to the day: breath, movement, and a few longer holds. Some experience helps.',
    price: '22.00',
    category: 'Yoga',
    color: '#3366cc',
    at: '07:30',
    until: '08:30',
    room: 0,
    teacher: 0,
    places: 14,
  },
  {
    name: 'Gentle Yoga',
    about: 'Slow, steady and kind to stiff joints. For beginners, and for days that need it.',
    price: '0.00',
    category: 'Yoga',
    color: '#6699cc',
    at: '09:30',
    until: '10:45',
    room: 0,
    teacher: 1,
    places: 12,
  },
  {
    name: 'Mat Pilates',
    about: 'Forty-five minutes for the middle of the body, in the middle of the day.',
    price: '22.00',
    category: 'Pilates',
    color: '#339966',
    at: '12:10',
    until: '12:55',
    room: 1,
    teacher: 1,
    places: 10,
  },
  {
    name: 'Strength Basics',
    about: 'Squat, hinge, push and pull with light weights. You learn each lift before it gets heavier.',
    price: '22.00',
    category: 'Strength',
    color: '#cc6633',
    at: '17:45',
    until: '18:45',
    room: 1,
    teacher: 0,
    places: 10,
  },
  {
    name: 'Candlelight Yin',
    about: 'Long, quiet stretches by candlelight. Bring socks.',
    price: '22.00',
    category: 'Yoga',
    color: '#663399',
    at: '19:30',
    until: '20:45',
    room: 0,
    teacher: 0,
    places: FULL_CLASS_PLACES,
  },
];
/** The only class that requires a membership: no drop-ins. */
const MEMBERS = {
  name: 'Reformer Pilates',
  about: 'Springs, straps and straight answers, on the reformer. For members.',
  price: '0.00',
  category: 'Pilates',
  color: '#2a9d8f',
  at: '10:45',
  until: '11:40',
  room: 1,
  teacher: 1,
  places: 6,
};
/** First name of the instructor who can log in. */
export const INSTRUCTOR = 'Maya';

/** Ids that the life of the studio needs. */
export interface Studio {
  readonly venue: number;
  readonly room: number;
  readonly teacher: number;
  /** ids of the instructors; `teacher` is the first */
  readonly teachers: readonly number[];
  /** returns the id of the image with this name */
  readonly image: (name: string) => number;
  /** the offering type of the first class of the day */
  readonly flow: number;
  /** customers without an account */
  readonly people: readonly number[];
  readonly demoCustomer: number;
  readonly sold: Sold;
}

const REGULARS = [
  'Ada Whitlock',
  'Ben Castillo',
  'Chloe Marsh',
  'Dev Anand',
  'Elif Kaya',
  'Finn Doyle',
  'Grace Osei',
  'Hugo Lind',
];

/**
 * Fills the studio.
 * @param demoCustomer the customer that can log in; has bookings of its own
 * @param instructorUser account of the first instructor, who can log in
 */
export async function fillStudio(
  work: Work,
  { demoCustomer, instructorUser }: { readonly demoCustomer: number; readonly instructorUser: number },
  shown: ShownOf,
): Promise<Studio> {
  const address = {
    street: '18 Harbour Lane',
    city: 'Toronto',
    region: 'ON',
    postal_code: 'M5V 2T6',
    country: 'CA',
    lat: 43.6387,
    lng: -79.3817,
  };
  const venue = await createVenue(work, {
    name: 'Harbour Lane',
    description: 'Two rooms above the boat sheds, five minutes from the ferry. Lockers, showers and tea are free.',
    venue_type: 'physical',
    timezone: work.tenant.zone,
    physical_address: address,
  });
  const rooms = await each(['Lake Room', 'Garden Room'], (name) =>
    createVenueRoom(work, { venue, name, thumbnail: shown(name).id }),
  );
  const teachers = await each(
    [
      ['Maya', 'Lindqvist', 'Teaches flow and yin, and has run the studio’s beginners’ evenings for nine years.'],
      ['Tomas', 'Reyes', 'A physiotherapist who came to Pilates by way of his own back. Ask him about yours.'],
    ],
    async ([first_name, last_name, description]) => {
      const staff = await createStaffMember(work, {
        first_name,
        last_name,
        email: `${first_name.toLowerCase()}@demo.example`,
        ...(first_name === INSTRUCTOR && {
          user_id: instructorUser,
          permissions: { instructor_attendances: true, instructor_manage_events: true },
        }),
      });
      return createInstructor(work, {
        staff,
        name: `${first_name} ${last_name}`,
        description,
        picture_url: shown(first_name).url,
      });
    },
  );
  const names = [...new Set(CLASSES.map((c) => c.category))];
  const categories = await each(names, (name) => createCategory(work, { name }));
  const offered = [...CLASSES, MEMBERS];
  const offerings = await each(offered, ({ name, category, color, price, about }) =>
    createOfferingType(work, {
      name,
      description: about,
      category: categories[names.indexOf(category)],
      background_color: color,
      dropin_price: price,
      allows_dropins: name !== MEMBERS.name,
      image: shown(name).id,
    }),
  );
  await offerSessions(work, {
    venue,
    room: rooms[1],
    teacher: teachers[1],
    category: categories[names.indexOf('Pilates')],
  });
  const people = await each(REGULARS, (name) => {
    const [first_name, last_name] = name.split(' ');
    return createCustomer(work, {
      first_name,
      last_name,
      email: `${first_name}.${last_name}@demo.example`.toLowerCase(),
    });
  });

  const holders = [demoCustomer, ...people.slice(0, 3)];
  const sold = await sellMemberships(work, offerings[CLASSES.length], holders);

  const today = formatWall(work.now, work.tenant.zone).slice(0, 10);
  for (let day = -DAYS_AROUND; day < DAYS_AROUND; day++) {
    const date = addDays(today, day);
    for (const [i, { name, at, until, room, teacher, places }] of offered.entries()) {
      const event = await createEvent(work, {
        name,
        venue,
        venue_room: rooms[room],
        offering_type: offerings[i],
        instructors: [teachers[teacher]],
        max_occupancy: places,
        starts_at: `${date}T${at}:00`,
        ends_at: `${date}T${until}:00`,
      });
      // Today's classes may have begun: bookings are for later days.
      if (i === CLASSES.length)
        await book(work, event, day > 0 ? holders.slice(0, 1 + (day % holders.length)) : [], false);
      else if (day === 1 && places === FULL_CLASS_PLACES) await fillUp(work, event, people);
      else if (day > 0)
        await book(work, event, [...people.slice(i, i + 3), ...(i === day % CLASSES.length ? [demoCustomer] : [])]);
    }
  }
  await teachCourse(
    work,
    {
      venue,
      room: rooms[0],
      teacher: teachers[0],
      category: categories[names.indexOf('Yoga')],
      image: shown('Gentle Yoga').id,
    },
    people[0],
  );
  return {
    venue,
    room: rooms[0],
    teacher: teachers[0],
    teachers,
    image: (name) => shown(name).id,
    flow: offerings[0],
    people,
    demoCustomer,
    sold,
  };
}

/** Creates appointments from Monday to Friday. */
async function offerSessions(
  work: Work,
  { venue, room, teacher, category }: Readonly<Record<'venue' | 'room' | 'teacher' | 'category', number>>,
): Promise<void> {
  const offering = await createOfferingType(work, {
    name: 'One-to-one session',
    description: 'An hour with Tomas for a stiff back, a sore knee, or a first time on the reformer.',
    schedule_type: 'appointment',
    category,
    color: '#0f766e',
    dropin_price: '95.00',
    instructors: [teacher],
    appointment_settings: {
      duration: 60,
      buffer_before: 0,
      buffer_after: 0,
      start_time_increments: null,
      default_venue: venue,
      default_venue_rooms: [room],
    },
  });
  const hours = [{ start: '14:00', end: '17:00' }];
  const schedule = await createSchedule(work, {
    venue,
    instructor: teacher,
    default_monday: hours,
    default_tuesday: hours,
    default_wednesday: hours,
    default_thursday: hours,
    default_friday: hours,
  });
  await nameOfferingTypes(work, [{ availability_schedule: schedule, offering_type: offering }]);
}

export async function fillUp(work: Work, event: number, people: readonly number[]): Promise<void> {
  await book(work, event, people.slice(0, FULL_CLASS_PLACES));
  for (const customer of people.slice(FULL_CLASS_PLACES, FULL_CLASS_PLACES + 2))
    await joinWaitlist(work, event, customer, false);
}

/** Books events. The studio admits customers without a membership free of charge. */
export async function book(work: Work, event: number, customers: readonly number[], comped = true): Promise<void> {
  const items = customers.map((customer) => ({ work, customer, comped, named: null }));
  for (const result of await register(work.tx, items, { event, commit: false }))
    if (result instanceof Error) throw result;
}

async function each<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await act(item));
  return results;
}
