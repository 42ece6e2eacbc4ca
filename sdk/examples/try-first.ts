import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({
  baseUrl: process.env.ROLLCALL_URL!,
  token: process.env.ROLLCALL_TOKEN!,
});
const event = Number(process.argv[2]);

const cancelling = rollcall.call('POST /events/{id}/cancel', { params: { id: event } });

const { effects } = await cancelling.dryRun();
for (const { effect, object } of effects) console.log(`${effect} ${object}`);
if (process.argv.includes('--yes')) await cancelling;
