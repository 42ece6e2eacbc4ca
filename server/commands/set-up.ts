import { hasBusiness } from '../areas/platform/providers/index.ts';
import { secretBoxOf } from '../kernel/base/secret-box.ts';
import { setUpLink } from '../areas/sites/set-up/index.ts';
import { CommandFailure, say, type Command } from './command.ts';
import { configured, withDatabase } from './installation.ts';

export const setUpCommand: Command = {
  name: 'set-up',
  summary: 'Print the link for setting up the first business in a browser',
  details: 'The link works as long as there is no business. Anyone who has it can become the first owner.',
  async run() {
    const config = configured();
    const { publicUrl, port } = config;
    const known = await withDatabase(
      (db) => db.acrossTenants('an operator looks whether there is a business at all', hasBusiness),
      { make: true },
    );
    if (known)
      throw new CommandFailure(
        'There is a business already. Remedy: create another one with "rollcall provider create".',
      );
    say(setUpLink(publicUrl ?? `http://localhost:${port === 0 ? 8080 : port}`, secretBoxOf(config)));
    return 0;
  },
};
