/** Everybody who teaches, or has taught. */
import { useCall } from '../../app/calls.ts';

/** More than a business has. */
const MAX_ROWS = 100;

export const useInstructors = () =>
  useCall('GET /instructors', { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] });
