import { publishedKeys, rotateKeys, stateOf } from '../areas/people/applications/index.ts';
import { commandTime } from './command-time.ts';
import { formatWall } from '../kernel/base/values/zone.ts';
import { say, type Command } from './command.ts';
import { secretBoxOf } from '../kernel/base/secret-box.ts';
import { amongCells, configured, withDatabase } from './installation.ts';
import { table } from './table.ts';

const at = (ms: number | null): string => (ms === null ? '-' : formatWall(ms, 'UTC').replace('T', ' ').slice(0, 16));

export const listKeys: Command = {
  name: 'keys list',
  summary: 'List the keys that sign tokens; times are in UTC',
  async run() {
    const now = commandTime();
    const keys = await withDatabase((db) =>
      db.acrossTenants('an operator lists the keys of the installation', (tx) => publishedKeys(tx, now)),
    );
    say(
      table(
        ['key', 'state', 'signs from', 'until', 'published until'],
        keys.map((k) => [k.kid, stateOf(k, now), at(k.signsFrom), at(k.retiredAt), at(k.publishedUntil)]),
      ),
    );
    return 0;
  },
};

export const rotateKeysCommand: Command = {
  name: 'keys rotate',
  summary: 'Publish a new key to sign tokens with; it takes over in an hour',
  details: 'Tokens that the old key signed stay valid until they expire. The worker rotates the key every 90 days.',
  async run() {
    const config = configured();
    const { kid, signsFrom } = await withDatabase((db) => {
      const ring = { box: secretBoxOf(config), cells: amongCells(db, config).cells, warn: say };
      return db.acrossTenants('an operator changes the keys of the installation', (tx) =>
        rotateKeys(tx, ring, commandTime()),
      );
    });
    say(`${kid} signs tokens from ${at(signsFrom)} (UTC).`);
    return 0;
  },
};
