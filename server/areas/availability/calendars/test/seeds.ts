import { connected, outsideEvent } from './calendar-world.ts';
import type { Seeds } from '../../../../test/seeds.ts';

const HOUR = 3_600_000;

export const SEEDS: Seeds = {
  external_calendar_account: async (world, providerId) => (await connected(world, { providerId })).account,
  external_calendar: async (world, providerId) => (await connected(world, { providerId })).calendar,
  external_calendar_event: async (world, providerId) => {
    const { calendar } = await connected(world, { providerId });
    return outsideEvent(world, calendar, [world.now + HOUR, world.now + 2 * HOUR], {}, providerId);
  },
  staff_calendar_setting: async (world, providerId) => (await connected(world, { providerId })).setting,
};
