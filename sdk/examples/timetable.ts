import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({
  baseUrl: process.env.ROLLCALL_URL!,
  token: process.env.ROLLCALL_TOKEN!,
});

const { results } = await rollcall.call('GET /events', {
  query: { page_size: 3, sort: ['start'] },
  fields: ['name', 'starts_at', 'venue.name'],
});
for (const { name, starts_at, venue } of results) {
  console.log(`${starts_at} ${name}, ${venue?.name}`);
}
