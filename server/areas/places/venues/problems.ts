/** Problems of venues and their rooms. */
import { defineProblems } from '../../../kernel/base/problem.ts';

export const VENUE_PROBLEMS = defineProblems({
  room_taken: { status: 409, type: 'conflict', means: 'Another event uses the room at that time.' },
});
