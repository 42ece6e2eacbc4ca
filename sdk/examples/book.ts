import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({
  baseUrl: process.env.ROLLCALL_URL!,
  token: process.env.ROLLCALL_TOKEN!,
});
const [event, customer] = process.argv.slice(2).map(Number);

const booking = rollcall.call('POST /events/{id}/register', {
  params: { id: event },
  body: { customer },
});

const result = await booking.result();
if (result.ok) {
  console.log('Booked.');
} else if (result.problem.code === 'event_full') {
  await rollcall.call('POST /events/{id}/join_waitlist', { params: { id: event }, body: { customer } });
  console.log('Full. They are on the waitlist.');
} else {
  console.log(result.problem.message);
}
