import { act, setApproval, teacher, wanted } from './world.ts';
import { newEvent, newPlace } from '../../../../test/schedule-world.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** An instructor who could teach it; `offered`: and has offered to. */
async function answered(world: World, offered: boolean): Promise<Call> {
  await setApproval(world, true);
  const { request, offering } = await wanted(world);
  const { instructor, token } = await teacher(world, offering);
  if (offered) await act(world, request, 'offer', token);
  return { id: request, body: { instructor } };
}

export const CALLS: Calls = {
  'POST /substitute_requests': async (world) => {
    const { instructor } = await teacher(world);
    const { id } = await newEvent(world, await newPlace(world), { instructors: [instructor] });
    return { body: { event: id, instructor, message: 'I have a cold.' } };
  },
  'POST /substitute_requests/{id}/withdraw': async (world) => ({ id: (await wanted(world)).request, body: {} }),
  'POST /substitute_requests/{id}/decline': async (world) => ({
    id: (await wanted(world)).request,
    body: { answer: 'Nobody else is free.' },
  }),
  'POST /substitute_requests/{id}/offer': (world) => answered(world, false),
  'POST /substitute_requests/{id}/take_back_offer': (world) => answered(world, true),
  'POST /substitute_requests/{id}/approve': (world) => answered(world, true),
  'PATCH /substitute_requests/settings': async (world) => {
    const { body } = await world.get('/substitute_requests/settings', { as: world.machine });
    return { body: { needs_approval: !body.needs_approval } };
  },
};
