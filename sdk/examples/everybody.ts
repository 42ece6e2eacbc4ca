import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({
  baseUrl: process.env.ROLLCALL_URL!,
  token: process.env.ROLLCALL_TOKEN!,
});

let subscribed = 0;
for await (const customer of rollcall.call('GET /customers', {
  fields: ['id', 'is_opted_into_broadcast_messages'],
})) {
  if (customer.is_opted_into_broadcast_messages) subscribed++;
}
console.log(`${subscribed} want to hear from you.`);
