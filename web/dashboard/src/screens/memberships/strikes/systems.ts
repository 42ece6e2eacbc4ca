/** Reads the rules that determine penalties. */
import { useCall } from '../../../app/calls.ts';

export const useSystems = () =>
  useCall('GET /membership_penalty_systems', { query: { page_size: 100 }, fields: ['id', 'name', 'status'] });
