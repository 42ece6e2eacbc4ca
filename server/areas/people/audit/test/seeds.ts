import { randomUUID } from 'node:crypto';
import { iso, row } from '../../../../test/schedule-world.ts';
import type { Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  audit_entry: (world, providerId) =>
    row(
      world,
      'audit_entry',
      {
        at: iso(world.now),
        request_id: randomUUID(),
        actor: 'job:test',
        mode: 'provider',
        action: 'job test',
        object: 'venue',
        object_id: 1,
        before: { name: 'Pier' },
        after: { name: 'Quay' },
      },
      providerId,
    ),
};
