import { registry } from '../app.ts';
import { MAX_REPORT_BYTES, takeBounce } from '../areas/communication/messages/index.ts';
import { findTenant } from '../areas/platform/providers/index.ts';
import { Tenants } from '../kernel/work/unit/tenants.ts';
import { commandTime } from './command-time.ts';
import { say, textOption, type Command } from './command.ts';
import { withDatabase } from './installation.ts';

/** Exit code that makes the mail server keep the report and retry (EX_TEMPFAIL). */
const EX_TEMPFAIL = 75;

async function readInput(most: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= most) parts.push(part);
  }
  return size <= most ? Buffer.concat(parts) : null;
}

export const mailBounce: Command = {
  name: 'mail bounce',
  summary: 'Process a bounce report of a mail server, one email on standard input',
  details:
    'For a pipe of the mail server that receives email for MAIL_BOUNCES. Anything that is not a bounce report, or not about email of this service, is ignored. Exit code 75 means: try again later.',
  options: {
    to: {
      type: 'string',
      value: 'ADDRESS',
      description: 'the address that the report was sent to, with its "+" part; defaults to the one in its headers',
    },
  },
  async run(given) {
    const raw = await readInput(MAX_REPORT_BYTES);
    if (!raw) {
      say('too large');
      return 0;
    }
    try {
      say(
        await withDatabase((db) =>
          takeBounce(
            { db, tenants: new Tenants(db, findTenant), registry: registry(), now: commandTime },
            raw,
            textOption(given, 'to') ?? null,
          ),
        ),
      );
      return 0;
    } catch (error) {
      console.error(`rollcall mail bounce: ${(error as Error).message}`);
      return EX_TEMPFAIL;
    }
  },
};
