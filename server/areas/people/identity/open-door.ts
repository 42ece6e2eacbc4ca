/** Opens the door of a process or of a request. */
import { accountsElsewhere } from './elsewhere.ts';
import type { AccountDoor } from './door.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Declarations } from '../../../kernel/work/unit/work.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { OutsideCall } from '../../../kernel/api/calls.ts';

interface DoorOptions {
  readonly db: Database;
  readonly installation: Installation;
  readonly registry: Declarations;
  readonly now: () => number;
}

export const accountDoor = ({ db, installation, registry, now }: DoorOptions): AccountDoor => {
  const { box, passwords, cells } = installation;
  return {
    ...passwords,
    db,
    box,
    registry,
    now,
    cells,
    changing: async (why, work) => {
      const result = await db.acrossTenants(why, work);
      await cells?.at(accountsElsewhere).sendChanges({ db, cells, now });
      return result;
    },
  };
};

/** Returns the door of a request, for endpoints that open their own transactions. */
export const doorForCall = ({
  db,
  installation,
  registry,
  now,
}: Pick<OutsideCall, 'db' | 'installation' | 'registry' | 'now'>): AccountDoor =>
  accountDoor({ db, installation, registry, now: () => now });
