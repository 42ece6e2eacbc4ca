/** Reads all current and former instructors. */
import { useCall } from '../../app/calls.ts';

/** Higher than the number that any business has. */
const MAX_ROWS = 100;

export const useInstructors = () =>
  useCall('GET /instructors', { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] });
