import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({
  baseUrl: process.env.ROLLCALL_URL!,
  token: process.env.ROLLCALL_TOKEN!,
});

for await (const item of rollcall.call('GET /feed_items/stream', {
  query: { types: ['customer.created', 'event.cancelled'] },
})) {
  if (item.type === 'customer.created') console.log(`Customer ${item.payload.customer} has joined.`);
  if (item.type === 'event.cancelled') console.log(`Event ${item.resources.event} is cancelled.`);
}
