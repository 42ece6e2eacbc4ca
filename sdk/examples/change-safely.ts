import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({
  baseUrl: process.env.ROLLCALL_URL!,
  token: process.env.ROLLCALL_TOKEN!,
});
const id = Number(process.argv[2]);

const { value, etag } = await rollcall.call('GET /customers/{id}', { params: { id } }).answer();
const changed = await rollcall.call('PATCH /customers/{id}', {
  params: { id },
  body: { first_name: value.first_name?.toUpperCase() },
  ifMatch: etag!,
});
console.log(changed.first_name);
