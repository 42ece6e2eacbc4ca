/**
 * The library of the demo studio: a collection that is open to all customers, one for members, and their first views.
 * The videos are placeholders, films of the Blender Foundation under a free licence: none shows a class.
 */
import {
  createContent,
  createContentCollection,
  createContentFilter,
  createContentTag,
  recordView,
} from '../areas/commerce/library/index.ts';
import type { Studio } from './week.ts';
import type { Work } from '../kernel/work/unit/work.ts';

const DAY_MS = 86_400_000;
const AGE_DAYS = 28;
/** As many of the people hold a membership, besides the demo customer. */
const MEMBERS = 3;
const BUNNY = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ';
const SINTEL = 'https://www.youtube.com/watch?v=eRsGyueVLvQ';
const STEEL = 'https://www.youtube.com/watch?v=R6MlUcmOul8';

const LEVELS = ['Beginner', 'Some experience'] as const;

interface Piece {
  readonly name: string;
  readonly description: string;
  readonly type: 'video' | 'document';
  readonly minutes: number;
  readonly url: string;
  /** name of its picture */
  readonly picture: string;
  readonly level: (typeof LEVELS)[number];
  /** index of its instructor */
  readonly teacher: number;
}

const FOR_ALL: readonly Piece[] = [
  {
    name: 'Ten minutes for stiff mornings',
    description: 'Neck, shoulders and hips, before the first coffee. You need a chair and a bit of floor.',
    type: 'video',
    minutes: 10,
    url: BUNNY,
    picture: 'Gentle Yoga',
    level: 'Beginner',
    teacher: 0,
  },
  {
    name: 'Five lifts to know before your first strength class',
    description: 'Squat, hinge, push, pull and carry, without weights.',
    type: 'video',
    minutes: 18,
    url: STEEL,
    picture: 'Strength Basics',
    level: 'Beginner',
    teacher: 0,
  },
  {
    name: 'The sun salutation, pose by pose',
    description: 'All twelve poses in pictures. Print it, and keep it next to your mat.',
    type: 'document',
    minutes: 5,
    url: 'https://en.wikipedia.org/wiki/Sun_Salutation',
    picture: 'Vinyasa Flow',
    level: 'Some experience',
    teacher: 0,
  },
];

const FOR_MEMBERS: readonly Piece[] = [
  {
    name: 'Reformer set-up: springs, straps and headrest',
    description: 'How to set the machine for your height, so that class can start on time.',
    type: 'video',
    minutes: 8,
    url: SINTEL,
    picture: 'Reformer Pilates',
    level: 'Beginner',
    teacher: 1,
  },
  {
    name: 'Half an hour on the mat, between two reformer classes',
    description: 'The same muscles without the springs. Good for weeks when you travel.',
    type: 'video',
    minutes: 30,
    url: STEEL,
    picture: 'Mat Pilates',
    level: 'Some experience',
    teacher: 1,
  },
  {
    name: 'Where Pilates comes from',
    description: 'Joseph Pilates, his springs and his six principles.',
    type: 'document',
    minutes: 12,
    url: 'https://en.wikipedia.org/wiki/Pilates',
    picture: 'Garden Room',
    level: 'Beginner',
    teacher: 1,
  },
];

/** Fills the library, as of four weeks ago. `at`: returns work as of a moment, in epoch milliseconds. */
export async function fillLibrary(
  { now, at }: { readonly now: number; readonly at: (moment: number) => Work },
  { teachers, people, demoCustomer, sold, image }: Studio,
): Promise<void> {
  const work = at(now - AGE_DAYS * DAY_MS);
  const filter = await createContentFilter(work, { name: 'Level', order: 1 });
  const tags = new Map<string, number>();
  for (const [i, name] of LEVELS.entries())
    tags.set(name, await createContentTag(work, { filter, name, order: i + 1 }));
  const fill = async (collection: number, pieces: readonly Piece[]): Promise<number[]> => {
    const made: number[] = [];
    for (const [i, { minutes, picture, level, teacher, ...piece }] of pieces.entries())
      made.push(
        await createContent(work, {
          ...piece,
          collection,
          duration_minutes: minutes,
          thumbnail: image(picture),
          instructors: [teachers[teacher]],
          tags: [tags.get(level)!],
          order: i + 1,
          published: true,
        }),
      );
    return made;
  };
  const free = await fill(
    await createContentCollection(work, {
      name: 'Start at home',
      description: 'Short practices and a little reading. Free for all customers.',
      order: 1,
      thumbnail: image('Lake Room'),
      access: 'all_customers',
      published: true,
    }),
    FOR_ALL,
  );
  const members = await fill(
    await createContentCollection(work, {
      name: 'Reformer library',
      description: 'For everyone who trains on the reformer with us.',
      order: 2,
      thumbnail: image('Reformer Pilates'),
      access: 'restricted',
      memberships: [sold.pack, sold.month, sold.club],
      published: true,
    }),
    FOR_MEMBERS,
  );
  for (const [n, customer] of [demoCustomer, ...people].entries())
    await recordView(at(now - (n + 1) * DAY_MS), free[n % free.length], customer);
  const today = at(now);
  // Some of their memberships begin today, so they open it today.
  for (const [n, customer] of [demoCustomer, ...people.slice(0, MEMBERS)].entries())
    await recordView(today, members[n % members.length], customer);
}
